// SPDX-License-Identifier: MIT
// expect: exit=1 bug=memory line=BUG message~"free of something that is not a heap block: heap block 1 of main (+8)"
#include <stdlib.h>

int main(void) {
  char *block = malloc(16);
  free(block + 8); /* BUG */
  return 0;
}
