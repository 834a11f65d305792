// SPDX-License-Identifier: MIT
// No input satisfies the assumption: that is proved, and heddle says so.
// expect: exit=0 verdict=clean complete=true bugs=0 output~"no run satisfies"
#include "heddle.h"
#include <assert.h>

int main(void) {
  const int x = heddle_input_int("x");
  heddle_assume((x & 1) == 0);
  heddle_assume(x % 4 == 3);
  assert(0);
  return 0;
}
