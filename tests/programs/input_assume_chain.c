// SPDX-License-Identifier: MIT
// heddle: --strategy optimal
// Each learning run that an assumption ends is followed by one that satisfies it: what comes after eight of them
// is seen while learning.
// expect: exit=1 bug=assertion line=BUG runs=0 learning_runs<=12
#include "heddle.h"
#include <assert.h>

int main(void) {
  int sum = 0;
  for (int i = 0; i < 8; i++) {
    const int x = heddle_input_int("x");
    heddle_assume(x == 1000 + 37 * i);
    sum += x;
  }
  assert(sum == 0); // BUG
  return 0;
}
