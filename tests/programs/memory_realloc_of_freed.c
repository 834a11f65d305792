// SPDX-License-Identifier: MIT
// expect: exit=1 bug=memory line=BUG message~"realloc of a block that was freed before"
#include <stdlib.h>

int main(void) {
  char *block = malloc(16);
  char *volatile same = block;
  free(block);
  free(realloc(same, 32)); /* BUG */
  return 0;
}
