// SPDX-License-Identifier: MIT
// Arithmetic of 16 bits that wraps around.
// solver: check
#include "input.h"

#include <stdint.h>

int main(void) {
  const uint16_t x = (uint16_t)(heddle_input_uchar("x") * 257u);
  const int16_t y = (int16_t)(heddle_input_schar("y") * 256);
  if ((uint16_t)(x + 40000u) < 300) LEAF(1);
  if ((int16_t)(y - 20000) > 0) LEAF(2);
  if ((uint16_t)(x * x) == 0xe101) LEAF(3);
  if ((int16_t)(x ^ y) < (int16_t)x) LEAF(4);
  if ((uint16_t)(x - (uint16_t)y) > 60000) LEAF(5);
  return 0;
}
