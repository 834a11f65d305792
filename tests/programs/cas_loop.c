// SPDX-License-Identifier: MIT
// A compare-exchange loop ends in every run, and the sum is right.
// expect: exit=0 verdict=clean complete=true
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;

static void *worker(void *unused) {
  for (int i = 0; i < 2; i++) {
    int old = atomic_load(&x);
    while (!atomic_compare_exchange_weak(&x, &old, old + 1)) {
    }
  }
  return NULL;
}

int main(void) {
  pthread_t s, t;
  pthread_create(&s, NULL, worker, NULL);
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(s, NULL);
  pthread_join(t, NULL);
  assert(x == 4);
  return 0;
}
