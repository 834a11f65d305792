// SPDX-License-Identifier: MIT
//
// ticket.c repaired: there are more numbers than threads, and they are a power of two, so that the counters may wrap.
// Three threads have too many interleavings to try all of them in a moment: two preemptions at most.
//
// heddle: --max-preemptions 2
// expect: exit=3 verdict=incomplete bugs=0 warnings=0 runs=846
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define THREADS 3
#define NUMBERS 4

static atomic_uint drawn, called;
static atomic_int inside;

static void lock(void) {
  const unsigned mine = atomic_fetch_add(&drawn, 1) % NUMBERS;
  while (atomic_load(&called) % NUMBERS != mine) {
  }
}

static void unlock(void) {
  atomic_fetch_add(&called, 1);
}

static void *worker(void *unused) {
  lock();
  assert(atomic_fetch_add(&inside, 1) == 0);
  atomic_fetch_sub(&inside, 1);
  unlock();
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, worker, NULL);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  return 0;
}
