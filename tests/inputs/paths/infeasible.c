// SPDX-License-Identifier: MIT
// Conditions that look open and are not: later ones follow from earlier ones.
// solver: check
#include "input.h"

int main(void) {
  const unsigned char x = heddle_input_uchar("x"), y = heddle_input_uchar("y");
  if (x > 100 && y > 100) {
    if (x + y < 150) LEAF(1);
    if ((x | y) < 101) LEAF(2);
  }
  if (x * x == 2) LEAF(3);
  if ((x & 15) > x) LEAF(4);
  if (x % 4 == 3 && (x ^ y) % 4 == 0 && y % 2 == 0) LEAF(5);
  if (x * y % 256 == 77) LEAF(6);
  return 0;
}
