// SPDX-License-Identifier: MIT
// qsort of pointers to symbolic numbers: the array itself holds nothing symbolic, the comparison does.
// expect: exit=0 verdict=clean paths=2
// observe: first=0
// observe: first=1
#include "heddle.h"
#include <assert.h>
#include <stdlib.h>

static int compare(const void *a, const void *b) {
  const int x = **(int *const *)a, y = **(int *const *)b;
  return (x > y) - (x < y);
}

int main(void) {
  int n[2] = {heddle_input_int("a"), heddle_input_int("b")};
  int *sorted[2] = {&n[0], &n[1]};
  qsort(sorted, 2, sizeof *sorted, compare);
  assert(*sorted[0] <= *sorted[1]);
  heddle_observe("first", sorted[0] - n);
  return 0;
}
