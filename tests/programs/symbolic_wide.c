// SPDX-License-Identifier: MIT
// 128 bits, _BitInt, bit-fields, structures by value and as results.
// heddle: --check-solver
// expect: exit=0 verdict=clean paths=6
// observe: way=0
// observe: way=1
// observe: way=2
// observe: way=3
// observe: way=4
// observe: way=5
#include "heddle.h"
#include <assert.h>

struct fields {
  unsigned low : 3, middle : 7;
  signed high : 9;
};

struct large {
  long a, b, c;
};

struct pair {
  int first, second;
};

static struct large turned(struct large l) {
  return (struct large){l.b, l.c, l.a};
}

static struct pair split(long x) {
  return (struct pair){(int)(x >> 32), (int)x};
}

int main(void) {
  const unsigned __int128 w = (unsigned __int128)heddle_input_ulong("high") << 64 | heddle_input_ulong("low");
  if (w >> 70 == 12345) {
    assert((unsigned long)(w >> 64) >> 6 == 12345 && w * 2 > w);
    heddle_observe("way", 1);
    return 0;
  }
  const int x = heddle_input_int("x");
  const unsigned _BitInt(19) odd = (unsigned _BitInt(19))x;
  if (odd == 300000) {
    assert((x & 0x7ffff) == 300000);
    heddle_observe("way", 2);
    return 0;
  }
  struct fields f = {0};
  f.middle = (unsigned)x & 127;
  f.high = x % 200;
  if (f.high == -150) {
    assert(x % 200 == -150 && f.middle == ((unsigned)x & 127) && f.low == 0);
    heddle_observe("way", 3);
    return 0;
  }
  const struct large l = turned((struct large){1, x, 3});
  if (l.a == 1000000) {
    assert(x == 1000000 && l.b == 3 && l.c == 1);
    heddle_observe("way", 4);
    return 0;
  }
  const struct pair p = split((long)x << 32 | 7);
  assert(p.first == x && p.second == 7);
  if (p.first == -1) {
    heddle_observe("way", 5);
    return 0;
  }
  heddle_observe("way", 0);
  return 0;
}
