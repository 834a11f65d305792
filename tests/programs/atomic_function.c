// SPDX-License-Identifier: MIT
// A function named __VERIFIER_atomic_* is an atomic section, also with several returns.
// expect: exit=0 verdict=clean runs=2
#include <assert.h>
#include <pthread.h>

int x;

static int __VERIFIER_atomic_increment(int by) {
  if (by == 0) return x;
  x = x + by;
  return x;
}

static void *worker(void *unused) {
  __VERIFIER_atomic_increment(1);
  return NULL;
}

int main(void) {
  pthread_t s, t;
  pthread_create(&s, NULL, worker, NULL);
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(s, NULL);
  pthread_join(t, NULL);
  assert(x == 2);
  return 0;
}
