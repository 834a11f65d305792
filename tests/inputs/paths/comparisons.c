// SPDX-License-Identifier: MIT
// All comparisons, signed and unsigned, and mixed.
// solver: check
#include "input.h"

int main(void) {
  const signed char x = heddle_input_schar("x"), y = heddle_input_schar("y");
  int leaf = 0;
  if (x < y) leaf |= 1;
  if (x <= -x) leaf |= 2;
  if ((unsigned)x > (unsigned)y) leaf |= 4;
  if ((unsigned char)x >= (unsigned char)y) leaf |= 8;
  if (x == y) leaf |= 16;
  if (x + 1 != y) leaf |= 32;
  if (x > 10u) leaf |= 64;
  if ((long)x >= (int)y) leaf |= 128;
  LEAF(leaf);
  return 0;
}
