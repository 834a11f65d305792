// SPDX-License-Identifier: MIT
// Unnamed arguments keep their terms, in registers, on the stack, structures too; those without are not taken for terms
// of earlier calls.
// expect: exit=0 verdict=clean runs=5
#include "heddle.h"
#include <stdarg.h>

struct large {
  long members[4];
};

static long sum(int count, ...) {
  va_list list;
  va_start(list, count);
  long total = 0;
  for (int i = 0; i < count; i++) total += va_arg(list, int) + (va_arg(list, double) > 100);
  total += va_arg(list, struct large).members[2];
  va_end(list);
  return total;
}

static int is(long value, long wanted) {
  if (value == wanted) return 1;
  return 0;
}

int main(void) {
  const int input = heddle_input_int("input");
  struct large large = {{0}};
  const struct large with_input = {{1, 2, input, 4}};
  int paths = 0;
  paths += is(sum(1, input, 1.0, large), 11);                                          /* in a register */
  paths += is(sum(7, 1, .1, 2, .1, 3, .1, 4, .1, 5, .1, 6, .1, input, .1, large), 33); /* on the stack */
  paths += is(sum(2, 1, 1.0, 2, 2.0, with_input), 1000);                               /* in a structure */
  paths += is(sum(7, 1, .1, 2, .1, 3, .1, 4, .1, 5, .1, 6, .1, 7, .1, large), 28) * 10;
  paths += is(sum(1, 1000, 200.0, with_input), 1001);
  return paths < 10;
}
