// SPDX-License-Identifier: MIT
// Terms that nest ten thousand deep.
// expect: exit=0 verdict=clean complete=true paths=2
#include "heddle.h"

static unsigned deep(unsigned x, int depth) {
  return depth == 0 ? x : (deep(x, depth - 1) ^ (unsigned)depth) + 3;
}

int main(void) {
  if (deep(heddle_input_uint("x"), 10000) == 12345) heddle_observe("found", 1);
  return 0;
}
