// SPDX-License-Identifier: MIT
// The operators && and || are branches; a conditional expression of simple operands is not, one with a call is.
// solver: check
#include "input.h"

static int half(int x) {
  return x / 2;
}

int main(void) {
  const int x = heddle_input_uchar("x"), y = heddle_input_uchar("y");
  const int both = x > 10 && y > 10, one = x > 200 || y > 200;
  const int larger = x > y ? x : y, called = x < y ? half(x) : half(y);
  if (both && !one) LEAF(1);
  if (larger == 77) LEAF(2);
  if (called == 3) LEAF(3);
  if (!(x & 1) ^ !(y & 1)) LEAF(4);
  return 0;
}
