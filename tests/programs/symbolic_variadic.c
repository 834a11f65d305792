// SPDX-License-Identifier: MIT
// Terms among unnamed arguments, more than fit into registers; and a call without any while memory holds
// terms. Paths: twice x is 20 in two ways; otherwise x is 5 or not.
// heddle: --check-solver
// expect: exit=0 verdict=clean paths=4
// observe: sum=1
#include "heddle.h"
#include <assert.h>
#include <stdarg.h>

int kept;

static int sum(int count, ...) {
  va_list list;
  int total = 0;
  va_start(list, count);
  for (int i = 0; i < count; i++) total += va_arg(list, int);
  va_end(list);
  return total;
}

int main(void) {
  const int x = heddle_input_int("x");
  kept = x;
  assert(sum(3, 1, 2, 3) == 6);
  if (sum(9, 0, 1, 0, x, 0, 0, 0, x, 5) == 26) {
    assert(x == 10 || x == (int)(10u + (1u << 31)));
    heddle_observe("sum", 1);
  }
  if (sum(8, 1, 1, 1, 1, 1, 1, 1, 1) != 8) assert(0);
  assert(kept == x);
  if (sum(1, kept) == 5) assert(x == 5);
  return 0;
}
