// SPDX-License-Identifier: MIT
// rand stays in its range and is not a constant; srand repeats a sequence.
// expect: exit=0 verdict=clean
#include <assert.h>
#include <stdlib.h>

int main(void) {
  int different = 0;
  const int first = rand();
  for (int i = 0; i < 1000; i++) {
    const int value = rand();
    assert(value >= 0 && value <= RAND_MAX);
    different += value != first;
  }
  assert(different > 900);
  srand(3);
  const int a = rand(), b = rand();
  srand(3);
  assert(rand() == a && rand() == b);
  return 0;
}
