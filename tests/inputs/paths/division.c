// SPDX-License-Identifier: MIT
// Division and remainder, signed and unsigned, of several widths; the smallest number by -1 in 8 bits.
// solver: check
#include "input.h"

int main(void) {
  const unsigned char x = heddle_input_uchar("x");
  const signed char y = heddle_input_schar("y");
  const unsigned divisor = x | 1u;
  if (1000u / divisor == 5) LEAF(1);
  if (1000u % divisor == 1) LEAF(2);
  if (y / 7 == -3) LEAF(3);
  if (y % 7 == -3) LEAF(4);
  if (y != 0 && (signed char)(-128 / y) == -128) LEAF(5);
  if (-100000000000ll / (y | 1ll) > 5000000000ll) LEAF(6);
  return 0;
}
