// SPDX-License-Identifier: MIT
// A bit trick that fails for one pattern.
#include "heddle.h"
#include <assert.h>

static int is_power_of_two(unsigned x) {
  return (x & (x - 1)) == 0;
}

int main(void) {
  const unsigned x = heddle_input_uint("x");
  if (is_power_of_two(x)) assert(__builtin_popcount(x) == 1);
  return 0;
}
