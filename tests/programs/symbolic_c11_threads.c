// SPDX-License-Identifier: MIT
// Terms as the argument and the result of a C11 thread; one that exits instead of returning.
// expect: exit=0 verdict=clean bugs=0
// observe: found=1
// observe: found=2
// observe: found=0
#include "heddle.h"
#include <assert.h>
#include <stdint.h>
#include <threads.h>

static int returns(void *argument) {
  return (int)(intptr_t)argument + 1;
}

static int exits(void *argument) {
  thrd_exit((int)(intptr_t)argument - 1);
}

int main(void) {
  const int x = heddle_input_int("x");
  thrd_t a, b;
  int more, less;
  thrd_create(&a, returns, (void *)(intptr_t)x);
  thrd_create(&b, exits, (void *)(intptr_t)x);
  thrd_join(a, &more);
  thrd_join(b, &less);
  assert((unsigned)more - (unsigned)less == 2);
  heddle_observe("found", more == 77 ? 1 : less == -3000 ? 2 : 0);
  return 0;
}
