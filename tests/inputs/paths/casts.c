// SPDX-License-Identifier: MIT
// Casts between widths and signs, truth values, bit-fields.
// solver: check
#include "input.h"

#include <stdbool.h>

struct fields {
  unsigned low : 3;
  signed middle : 4;
  unsigned high : 5;
};

int main(void) {
  const unsigned char x = heddle_input_uchar("x");
  const short wide = (short)(x * 300);
  const bool odd = x & 4;
  struct fields fields = {0};
  fields.low = x;
  fields.middle = (int)x - 100;
  fields.high = (unsigned)(x * 3);
  if ((signed char)x < -100) LEAF(1);
  if (wide < -5000) LEAF(2);
  if ((unsigned long)(long)(signed char)x > 0xfffffffffffffff0ul) LEAF(3);
  if (odd) LEAF(4);
  if (odd + fields.low == 5) LEAF(5);
  if (fields.middle == -8) LEAF(6);
  if (fields.high > 29) LEAF(7);
  if ((unsigned short)(int)(signed char)x == 0xff93) LEAF(8);
  return 0;
}
