// SPDX-License-Identifier: MIT
//
// A ticket lock: everybody draws a number and waits until it is called.
//
// What is wrong: the numbers wrap around after two, to save space, but there are three threads. The third draws the
// number of the first, who is still inside, and walks in; or two leave so quickly that a waiting thread misses its
// number and spins forever. heddle reports whichever it meets first. ticket_fixed.c has more numbers than threads.
//
// expect: exit=1 bugs=1 runs<=200
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define THREADS 3
#define NUMBERS 2

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
