// SPDX-License-Identifier: MIT
// The index that leaves a local array, at its low end.
// expect: exit=1 bug=memory line=BUG
#include "heddle.h"

static int sum(const int *values, int n) {
  int total = 0;
  for (int i = 0; i < n; i++) total += values[i];
  return total;
}

int main(void) {
  int local[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  const int i = (int)heddle_input_range("i", -1, 7);
  local[i] = 9; /* BUG */
  return sum(local, 8) == 100;
}
