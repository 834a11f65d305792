// SPDX-License-Identifier: MIT
// A function of the C library that writes past the end of a heap block is found at the call.
// expect: exit=1 bug=memory line=BUG
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  char *text = malloc(4);
  sprintf(text, "%d", 12345); // BUG
  free(text);
  return 0;
}
