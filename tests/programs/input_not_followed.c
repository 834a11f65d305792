// SPDX-License-Identifier: MIT
// An input passed to a function that is not followed: it counts as the value it has, and the function is named.
// expect: exit=3 complete=false bugs=0 output~l64a
#include "heddle.h"
#include <stdlib.h>

int main(void) {
  const int x = heddle_input_int("x");
  const char *text = l64a(x);
  if (text[0] == 'x') heddle_observe("x", 1);
  return 0;
}
