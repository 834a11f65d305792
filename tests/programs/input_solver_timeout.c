// SPDX-License-Identifier: MIT
// A condition that cannot be solved in time is left, said, and the rest continues.
// heddle: --strategy exhaustive --solver-timeout 50
// expect: exit=3 verdict=incomplete complete=false bugs=0 output~solver
// observe: hashed=0 other=0
// observe: hashed=0 other=1
#include "heddle.h"

static unsigned long scramble(unsigned long x) {
  for (int i = 0; i < 24; i++) {
    x ^= x >> 31;
    x *= 0x7fb5d329728ea185;
    x ^= x >> 27;
    x *= 0x81dadef4bc2dd44d + (x >> 60);
  }
  return x;
}

int main(void) {
  const unsigned long x = heddle_input_ulong("x");
  const int y = heddle_input_int("y");
  int hashed = 0, other = 0;
  if (scramble(x) == 0x1234567890abcdef) hashed = 1;
  if (y == 77777) other = 1;
  heddle_observe("hashed", hashed);
  heddle_observe("other", other);
  return 0;
}
