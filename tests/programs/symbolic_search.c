// SPDX-License-Identifier: MIT
// bsearch with a symbolic key: four numbers, five gaps between them.
// heddle: --check-solver
// expect: exit=0 verdict=clean paths=9
// observe: found=-1
// observe: found=0
// observe: found=1
// observe: found=2
// observe: found=3
#include "heddle.h"
#include <assert.h>
#include <stdlib.h>

static int compare(const void *a, const void *b) {
  const int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

int main(void) {
  static const int numbers[] = {-5, 3, 8, 1000};
  const int key = heddle_input_int("key");
  const int *found = bsearch(&key, numbers, 4, sizeof *numbers, compare);
  if (found) assert(*found == key);
  heddle_observe("found", found ? found - numbers : -1);
  return 0;
}
