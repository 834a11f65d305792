// SPDX-License-Identifier: MIT
// An allocation whose size is an input: each of the hundred sizes is a path.
// expect: exit=0 bugs=0 complete=true paths=100
#include "heddle.h"
#include <stdlib.h>
#include <string.h>

int main(void) {
  const unsigned size = (unsigned)heddle_input_range("size", 1, 100);
  char *block = malloc(size);
  memset(block, 1, size);
  heddle_observe("last", block[size - 1]);
  free(block);
  return 0;
}
