// SPDX-License-Identifier: MIT
// The sign of a number: three paths.
// solver: check
#include "input.h"

static int sign(int x) {
  if (x < 0) return -1;
  if (x > 0) return 1;
  return 0;
}

int main(void) {
  switch (sign(heddle_input_schar("x"))) {
  case -1: LEAF(1); break;
  case 1: LEAF(2); break;
  default: LEAF(3);
  }
  return 0;
}
