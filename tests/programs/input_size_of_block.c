// SPDX-License-Identifier: MIT
// The size of a block is an input: each of its nine values is a path, and the one that is too small is found.
// expect: exit=1 verdict=bug bug=memory
#include "heddle.h"
#include <stdlib.h>

int main(void) {
  const long long n = heddle_input_range("n", 4, 12);
  char *block = malloc((size_t)n);
  if (block) block[4] = 1;
  free(block);
  return 0;
}
