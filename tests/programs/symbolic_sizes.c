// SPDX-License-Identifier: MIT
// The sizes of allocations are tried one by one, whatever function allocates: three functions, 64 sizes.
// expect: exit=0 verdict=clean bugs=0 paths=192
#include "heddle.h"
#include <assert.h>
#include <malloc.h>
#include <stdlib.h>

int main(void) {
  const size_t n = (size_t)heddle_input_range("n", 1, 64);
  void *p = NULL;
  switch (heddle_input_range("which", 0, 2)) {
  case 0: p = memalign(16, n); break;
  case 1: p = valloc(n); break;
  default:
    if (posix_memalign(&p, 16, n) != 0) return 1;
    break;
  }
  assert(p);
  ((char *)p)[n - 1] = 1;
  free(p);
  return 0;
}
