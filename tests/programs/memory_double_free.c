// SPDX-License-Identifier: MIT
// expect: exit=1 bug=memory line=BUG message~"free of a block that was freed before: heap block 1 of main"
#include <stdlib.h>

int main(void) {
  char *block = malloc(16);
  char *volatile same = block;
  free(block);
  free(same); /* BUG */
  return 0;
}
