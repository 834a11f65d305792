// SPDX-License-Identifier: MIT
//
// ticket.c repaired: there are more numbers than threads, and they are a power of two, so that the counters may wrap.
// A thread waits for its number as it would for a lock, so no interleaving needs more than two preemptions, and all of
// them are tried.
//
// heddle: --max-preemptions 2
// expect: exit=0 verdict=clean complete=true bugs=0 warnings=0 runs=210
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
