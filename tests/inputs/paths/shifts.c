// SPDX-License-Identifier: MIT
// Shifts by constants and by inputs, left and right, signed and unsigned.
// solver: check
#include "input.h"

int main(void) {
  const unsigned char x = heddle_input_uchar("x");
  const signed char y = heddle_input_schar("y");
  if ((unsigned char)(x << 3) == 0x48) LEAF(1);
  if (1u << (x & 31) > 70000) LEAF(2);
  if ((y >> 2) == -5) LEAF(3);
  if ((y >> (x & 7)) == -1) LEAF(4);
  if (((unsigned long)x << (x & 63)) >> 40 == 0x53) LEAF(5);
  if ((((unsigned)y) >> 24) == 255) LEAF(6);
  return 0;
}
