// SPDX-License-Identifier: MIT
// The index that leaves a heap block.
// expect: exit=1 bug=memory line=BUG
#include "heddle.h"
#include <stdlib.h>

int main(void) {
  int *block = calloc(10, sizeof *block);
  const unsigned i = heddle_input_uint("i");
  heddle_assume(i < 11);
  const int value = block[i]; /* BUG */
  free(block);
  return value;
}
