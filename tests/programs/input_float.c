// SPDX-License-Identifier: MIT
// What is computed in floating point is not followed: the value counts as it is, and that is said.
// expect: exit=3 complete=false bugs=0 output~"floating point"
#include "heddle.h"

int main(void) {
  const int x = heddle_input_int("x");
  const double half = x / 2.0;
  if (half > 10.25) heddle_observe("large", 1);
  if (x == 5) heddle_observe("five", 1);
  return 0;
}
