// SPDX-License-Identifier: MIT
// Whether the status is 0 depends on an input without any branch: both sides are looked at.
// expect: exit=1 bugs=1 bug=exit line=BUG message="exit status 1: returned by main"
#include "heddle.h"

int main(void) {
  const int x = heddle_input_int("x");
  return x == 123456; /* BUG */
}
