// SPDX-License-Identifier: MIT
// The absolute value that is negative.
#include "heddle.h"
#include <assert.h>

int main(void) {
  const long x = heddle_input_long("x");
  const long absolute = x < 0 ? (long)-(unsigned long)x : x;
  assert(absolute >= 0);
  return 0;
}
