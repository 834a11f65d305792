// SPDX-License-Identifier: MIT
// No input satisfies the assumption: nothing was tested, and heddle says so.
// expect: exit=3 verdict=incomplete bugs=0 output~"no run satisfies"
#include "heddle.h"
#include <assert.h>

int main(void) {
  const int x = heddle_input_int("x");
  heddle_assume((x & 1) == 0);
  heddle_assume(x % 4 == 3);
  assert(0);
  return 0;
}
