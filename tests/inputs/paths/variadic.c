// SPDX-License-Identifier: MIT
// Inputs passed as unnamed arguments, of several types, more than registers hold.
#include "input.h"

#include <stdarg.h>

static long sum(int count, ...) {
  va_list arguments;
  long total = 0;
  va_start(arguments, count);
  for (int i = 0; i < count; i++) total += i % 2 ? va_arg(arguments, long) : va_arg(arguments, int);
  va_end(arguments);
  return total;
}

int main(void) {
  const int x = heddle_input_uchar("x"), y = heddle_input_uchar("y");
  if (sum(3, x, 1000l, y) == 1300) LEAF(1);
  if (sum(9, 1, 2l, 3, 4l, 5, 6l, x, (long)y * 256, y) > 60000) LEAF(2);
  return 0;
}
