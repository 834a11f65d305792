// SPDX-License-Identifier: MIT
// Beyond all blocks.
// expect: exit=1 bug=memory line=BUG message~"bytes after heap block 1 of main"
#include <stdlib.h>

int main(void) {
  long *block = calloc(4, sizeof *block);
  block[100000] = 1; /* BUG */
  return 0;
}
