// SPDX-License-Identifier: MIT
// qsort of three symbolic numbers, with a comparison that has no branches: six ways.
// heddle: --check-solver
// expect: exit=0 verdict=clean paths=6
#include "heddle.h"
#include <assert.h>
#include <stdlib.h>

static int compare(const void *a, const void *b) {
  const int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

int main(void) {
  int n[3] = {heddle_input_int("a"), heddle_input_int("b"), heddle_input_int("c")};
  const int sum = (int)((unsigned)n[0] + (unsigned)n[1] + (unsigned)n[2]);
  qsort(n, 3, sizeof *n, compare);
  assert(n[0] <= n[1] && n[1] <= n[2]);
  assert(sum == (int)((unsigned)n[0] + (unsigned)n[1] + (unsigned)n[2]));
  return 0;
}
