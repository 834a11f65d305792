// SPDX-License-Identifier: MIT
// qsort, whose comparison is called back.
// expect: exit=0 verdict=clean runs=1
#include <assert.h>
#include <stdlib.h>

static int compare(const void *a, const void *b) {
  const int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

int main(void) {
  int numbers[] = {5, -3, 9, 0, 5, 2, -3};
  qsort(numbers, 7, sizeof *numbers, compare);
  for (int i = 1; i < 7; i++) assert(numbers[i - 1] <= numbers[i]);
  assert(numbers[0] == -3 && numbers[6] == 9);
  return 0;
}
