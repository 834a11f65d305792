// SPDX-License-Identifier: MIT
// Terms as a thread's argument, as its result, through shared memory and an atomic.
// heddle: --check-solver
// expect: exit=0 verdict=clean bugs=0
// observe: found=12
// observe: found=0
#include "heddle.h"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

atomic_int shared;

static void *worker(void *argument) {
  const int x = (int)(intptr_t)argument;
  atomic_fetch_add(&shared, x);
  return (void *)(intptr_t)(x * 2);
}

int main(void) {
  const int x = (int)heddle_input_range("x", -100, 100);
  pthread_t t;
  void *result;
  pthread_create(&t, NULL, worker, (void *)(intptr_t)x);
  atomic_fetch_add(&shared, 1);
  pthread_join(t, &result);
  assert((int)(intptr_t)result == x * 2 && atomic_load(&shared) == x + 1);
  heddle_observe("found", (intptr_t)result == 24 ? 12 : 0);
  return 0;
}
