// SPDX-License-Identifier: MIT
// Assumptions restrict what counts: before, between and after branches.
#include "input.h"

int main(void) {
  const int x = heddle_input_uchar("x"), y = heddle_input_uchar("y");
  heddle_assume((x & 3) == 1);
  if (x > 100) LEAF(1);
  heddle_assume(x + y < 120);
  if (y > 100) {
    heddle_assume(x != 5);
    LEAF(2);
    if (x == 5) LEAF(3);
    if (x == 9) LEAF(4);
  }
  return 0;
}
