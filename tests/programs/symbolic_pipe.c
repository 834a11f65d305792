// SPDX-License-Identifier: MIT
// What goes through a pipe is made concrete there, and that is said; what was decided before is still so.
// expect: exit=3 verdict=incomplete bugs=0 paths=2 output~"whose model needs its value"
// observe: positive=1
#include "heddle.h"
#include <assert.h>
#include <unistd.h>

int main(void) {
  int ends[2], x = heddle_input_int("x"), y = 0;
  assert(pipe(ends) == 0);
  if (x > 0) heddle_observe("positive", 1);
  assert(write(ends[1], &x, sizeof x) == sizeof x);
  assert(read(ends[0], &y, sizeof y) == sizeof y);
  assert(y == x);
  if (y > 0) assert(x > 0);
  return 0;
}
