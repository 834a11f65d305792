// SPDX-License-Identifier: MIT
// An atomic load and an atomic store with work between them are two operations: an update can be lost.
// expect: exit=0 verdict=clean runs=6
// observe: x=1
// observe: x=2
#include "heddle.h"
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;

static void *worker(void *unused) {
  const int seen = atomic_load_explicit(&x, memory_order_acquire);
  atomic_store_explicit(&x, seen + 1, memory_order_release);
  return NULL;
}

int main(void) {
  pthread_t s, t;
  pthread_create(&s, NULL, worker, NULL);
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(s, NULL);
  pthread_join(t, NULL);
  heddle_observe("x", x);
  return 0;
}
