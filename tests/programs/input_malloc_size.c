// SPDX-License-Identifier: MIT
// An allocation whose size is an input: the size is taken as it is, and that is said.
// expect: exit=3 bugs=0 complete=false output~"concrete"
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
