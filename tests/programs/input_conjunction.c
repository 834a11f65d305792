// SPDX-License-Identifier: MIT
// Three conditions that only one relation between inputs satisfies.
// expect: exit=1 bug=assertion line=BUG complete=false
#include "heddle.h"
#include <assert.h>

int main(void) {
  const int x = heddle_input_int("x"), y = heddle_input_int("y"), z = heddle_input_int("z");
  if (x * 3 + 7 == y && y > 1000 && z == (x ^ y)) assert(0); /* BUG */
  return 0;
}
