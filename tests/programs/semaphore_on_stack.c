// SPDX-License-Identifier: MIT
// Two semaphores, one after the other at one place: the second has the value it was given.
// expect: exit=0 verdict=clean
// observe: calls=2
#include "heddle.h"

static int calls;

static __attribute__((noinline)) void once(void) {
  heddle_semaphore s = HEDDLE_SEMAPHORE(1);
  heddle_P(&s);
  calls++;
}

int main(void) {
  once();
  once();
  heddle_observe("calls", calls);
  return 0;
}
