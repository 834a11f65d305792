// SPDX-License-Identifier: MIT
// Arithmetic of 32 bits that wraps around.
// solver: check
#include "input.h"

int main(void) {
  const unsigned x = heddle_input_uchar("x") * 0x01010101u;
  const int y = (int)((unsigned)heddle_input_uchar("y") << 24) + 5;
  if (x + 0x80000000u < 0x10000000u) LEAF(1);
  if (x * 7u == 0x15151515u * 7u) LEAF(2);
  if (y < 0) LEAF(3);
  if ((int)x > y) LEAF(4);
  if ((x & (unsigned)y) == 5) LEAF(5);
  if ((x | 3u) - (unsigned)y > 0xc0000000u) LEAF(6);
  return 0;
}
