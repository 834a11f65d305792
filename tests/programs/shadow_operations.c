// SPDX-License-Identifier: MIT
// Operations at many widths have terms: a condition on the result of each holds for one of the values 0 to 63 that the
// input can have.
// expect: exit=0 verdict=clean runs<=64 runs>=60 warnings=0
#include "heddle.h"
#include <stdint.h>
#include <stdlib.h>

typedef unsigned __int128 wide;

static int hits;

#define IS(condition)                                                                                                  \
  do {                                                                                                                 \
    if (condition) hits++;                                                                                             \
  } while (0)

/* Each for one value of x, which is `at`. */
#define ARITHMETIC(type, at)                                                                                           \
  do {                                                                                                                 \
    const type v = (type)x, k = (type)(at);                                                                            \
    IS((type)(v + 3) == (type)(k + 3));                                                                                \
    IS((type)(v - 7) == (type)(k - 6));                                                                                \
    IS((type)(v * 3) == (type)(3 * (k + 2)));                                                                          \
    IS((type)(v ^ 5) == (type)((k + 3) ^ 5));                                                                          \
    IS((type)~v == (type) ~(k + 4));                                                                                   \
    IS((type)(v << 1) >> 1 == (type)(k + 5) && v < 64);                                                                \
  } while (0)

static void intrinsics(int x) {
  IS(__builtin_bswap32((unsigned)x) == 48u << 24);
  IS(__builtin_popcount((unsigned)x) == 6);
  IS(abs(x - 60) == 11);
  IS((unsigned)__builtin_rotateleft32((unsigned)x, 4) == 50u << 4);
  int sum;
  IS(__builtin_add_overflow(x, INT32_MAX - 51, &sum) == 0 && sum == INT32_MAX);
  uint8_t small;
  IS(__builtin_mul_overflow((uint8_t)x, (uint8_t)4, &small) == 0 && small == 52 * 4);
  IS(__builtin_ctz((unsigned)x | 128) == 5);
  IS(__builtin_clz((unsigned)x | 1) == 31);
  IS((x < 30 ? x + 100 : x) == 53);
}

int main(void) {
  const int x = heddle_input_int("x");
  heddle_assume(x >= 0 && x < 64);
  ARITHMETIC(uint8_t, 0);
  ARITHMETIC(int16_t, 6);
  ARITHMETIC(uint32_t, 12);
  ARITHMETIC(int64_t, 18);
  ARITHMETIC(wide, 24);
  ARITHMETIC(unsigned _BitInt(27), 30);
  ARITHMETIC(_BitInt(90), 36);
  IS(x / 7 == 6 && x % 7 == 0);
  IS(x / (x + 1) == 0 && (unsigned)x % 64 == 43);
  IS((x & 44) == 44 && (x | 44) == 44);
  IS(((unsigned)x << 26) >> 26 == 45);
  IS((int)((unsigned)x << 26) >> 26 == 46 - 64);
  intrinsics(x);
  switch (x) {
  case 54:
  case 55: hits++; break;
  case 56: hits += 2; break;
  default: break;
  }
  for (int i = 57; i < 60; i++) IS(x == i);
  return 0;
}
