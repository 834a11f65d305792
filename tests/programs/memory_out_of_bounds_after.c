// SPDX-License-Identifier: MIT
// Seen before any second thread exists, and right after the end of a block whose size is not a multiple of eight.
// expect: exit=1 bug=memory line=BUG message~"right after heap block 2 of main"
#include <stdlib.h>

int main(void) {
  char *first = malloc(8), *block = malloc(13), *last = malloc(8);
  for (int i = 0; i <= 13; i++) block[i] = 1; /* BUG */
  first[0] = last[0] = 1;
  return 0;
}
