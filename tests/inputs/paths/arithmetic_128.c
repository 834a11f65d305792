// SPDX-License-Identifier: MIT
// Arithmetic of 128 bits: multiplication, division, comparison, shifts.
#include "input.h"

typedef unsigned __int128 wide;

int main(void) {
  const wide x = (wide)heddle_input_uchar("x") << 100 | 77;
  const __int128 y = (__int128)heddle_input_schar("y") * ((__int128)1 << 90);
  if (x * x == 77 * 77) LEAF(1);
  if (x > (wide)1 << 106) LEAF(2);
  if (y < 0) LEAF(3);
  if (y >> 92 == -3) LEAF(4);
  if ((wide)y + x < x) LEAF(5);
  if (x / 1000 == 0) LEAF(6);
  if (y / 3 > (__int128)1 << 94) LEAF(7);
  if ((unsigned long)(x >> 64) == 5ul << 36) LEAF(8);
  return 0;
}
