// SPDX-License-Identifier: MIT
// Threads that spin for a lock whose value is symbolic in the end: no livelock while the holder comes back, and
// compare-and-exchange decides by the symbolic value.
// expect: exit=0 verdict=clean bugs=0
// observe: taken=1
// observe: taken=0
#include "heddle.h"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int lock;
int inside;

static void *worker(void *unused) {
  (void)unused;
  int free_value = 0;
  while (!atomic_compare_exchange_strong(&lock, &free_value, 1)) free_value = 0;
  assert(inside++ == 0);
  inside--;
  atomic_store(&lock, 0);
  return NULL;
}

int main(void) {
  const int x = heddle_input_int("x");
  atomic_store(&lock, x);
  int expected = 42;
  const _Bool was = atomic_compare_exchange_strong(&lock, &expected, 0);
  heddle_observe("taken", was);
  assert(was ? x == 42 : expected == x);
  atomic_store(&lock, 0);
  pthread_t a, b;
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, worker, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
