// SPDX-License-Identifier: MIT
// Remainders of a symbolic number by a symbolic divisor.
#include "input.h"

int main(void) {
  const int x = heddle_input_uchar("x"), d = (int)heddle_input_range("d", 1, 12);
  if (x % d == 0) {
    LEAF(1);
    if (x / d % 5 == 4) LEAF(2);
  } else if ((x - 128) % d < -3) {
    LEAF(3);
  }
  if ((unsigned short)(x * 256) % (unsigned short)(d * 100) > 900) LEAF(4);
  return 0;
}
