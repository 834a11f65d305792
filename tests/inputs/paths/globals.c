// SPDX-License-Identifier: MIT
// Inputs in static variables and arrays, of several widths, partly overwritten.
#include "input.h"

static unsigned short words[4];
static long total;
static _Thread_local unsigned char own;

int main(void) {
  const unsigned char x = heddle_input_uchar("x"), y = heddle_input_uchar("y");
  words[0] = x;
  words[1] = (unsigned short)(x << 8 | y);
  own = y;
  total = 0;
  for (int i = 0; i < 4; i++) total += words[i];
  if (total == 1000) LEAF(1);
  if (words[1] == 0x1234) LEAF(2);
  ((unsigned char *)words)[3] = 7;
  if (words[1] == 0x0734) LEAF(3);
  if (own == 9) LEAF(4);
  words[0] = words[1] = 0;
  return 0;
}
