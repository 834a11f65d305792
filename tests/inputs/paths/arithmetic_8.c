// SPDX-License-Identifier: MIT
// Arithmetic of 8 bits that wraps around.
// solver: check
#include "input.h"

#include <stdint.h>

int main(void) {
  const uint8_t x = heddle_input_uchar("x");
  const int8_t y = heddle_input_schar("y");
  const uint8_t sum = (uint8_t)(x + y), product = (uint8_t)(x * 3u), minus = (uint8_t)-x;
  if (sum < x) LEAF(1);
  if (product == 200) LEAF(2);
  if ((int8_t)(y * y) < 0) LEAF(3);
  if (minus > x) LEAF(4);
  if ((uint8_t)~x == (uint8_t)y) LEAF(5);
  if ((int8_t)(y - 100) > y) LEAF(6);
  return 0;
}
