// SPDX-License-Identifier: MIT
// Pointers that branches chose, pointer arithmetic and comparison, pointers to pointers.
#include "input.h"

int main(void) {
  unsigned char x = heddle_input_uchar("x"), y = heddle_input_uchar("y"), *p, **pp = &p;
  p = x > y ? &x : &y;
  if (**pp == 200) LEAF(1);
  if (p == &x) LEAF(2);
  *p = (unsigned char)(*p + 1);
  if (x == 0) LEAF(3);
  unsigned char array[4] = {x, y, 1, 2}, *end = array + 4;
  int above = 0;
  for (unsigned char *at = array; at < end; at++)
    if (*at > 250) above++;
  LEAF(10 + above);
  return 0;
}
