// SPDX-License-Identifier: MIT
// Builtins that count, swap, reverse and rotate bits.
// solver: check
#include "input.h"

#include <stdint.h>

int main(void) {
  const unsigned char x = heddle_input_uchar("x");
  const unsigned wide = x * 0x10204u;
  if (__builtin_popcount(x) == 7) LEAF(1);
  if (wide && __builtin_clz(wide) == 10) LEAF(2);
  if (wide && __builtin_ctz(wide) == 6) LEAF(3);
  if (__builtin_parity(x)) LEAF(4);
  if (__builtin_bswap32(wide) >> 24 == 0x90) LEAF(5);
  if (__builtin_bitreverse8(x) == 0x35) LEAF(6);
  if (__builtin_ffs(x) == 5) LEAF(7);
  if (__builtin_rotateleft8(x, 3) == 0x1f) LEAF(8);
  if (__builtin_popcountll((uint64_t)x << 40 | x) == 12) LEAF(9);
  if (x && __builtin_clzll(x) == 60) LEAF(10);
  if (__builtin_bswap16((uint16_t)(x * 3)) == 0x2c01) LEAF(11);
  return 0;
}
