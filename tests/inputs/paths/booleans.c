// SPDX-License-Identifier: MIT
// Truth values stored, passed, negated and counted.
#include "input.h"

#include <stdbool.h>

static bool between(int low, int x, int high) {
  return low <= x && x <= high;
}

int main(void) {
  const int x = heddle_input_uchar("x");
  const bool digit = between('0', x, '9'), letter = between('a', x | 32, 'z'), first = heddle_input_bool("first");
  const int count = digit + letter + first;
  if (count == 2) LEAF(1);
  if (!digit != letter) LEAF(2);
  if (first == (x > 77)) LEAF(3);
  return 0;
}
