// SPDX-License-Identifier: MIT
// The divisor that is zero is found among four billion.
// expect: exit=1 bug=crash line=BUG
#include "heddle.h"

int main(void) {
  const int x = heddle_input_int("x"), y = heddle_input_int("y");
  int quotient = 0;
  if (x > 1000) quotient = y / (x * 3 - 3003 - y); /* BUG */
  if (quotient == 123456789) heddle_observe("quotient", 1);
  return 0;
}
