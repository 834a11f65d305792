// SPDX-License-Identifier: MIT
// Arithmetic of 64 bits that wraps around.
// solver: check
#include "input.h"

#include <stdint.h>

int main(void) {
  const uint64_t x = heddle_input_uchar("x") * 0x0101010101010101ull;
  const int64_t y = (int64_t)((uint64_t)heddle_input_uchar("y") << 56) - 1;
  if (x + 0xf000000000000000ull < x) LEAF(1);
  if (x * x < 1000) LEAF(2);
  if (y < -3000000000000000000ll) LEAF(3);
  if ((int64_t)x < y) LEAF(4);
  if ((x ^ (uint64_t)y) >> 60 == 9) LEAF(5);
  if ((uint32_t)(x >> 16) == 0x77777777u) LEAF(6);
  return 0;
}
