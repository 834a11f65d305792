// SPDX-License-Identifier: MIT
//
// peterson.c repaired: first say that you want to enter, then give way.
//
// expect: exit=0 verdict=clean warnings=0 runs=3276
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_bool wants[2];
static atomic_int turn;
static atomic_int inside;

static void lock(int me) {
  const int other = 1 - me;
  wants[me] = true;
  turn = other;
  while (wants[other] && turn == other) {
  }
}

static void unlock(int me) {
  wants[me] = false;
}

static void *worker(void *argument) {
  const int me = (int)(long)argument;
  lock(me);
  assert(atomic_fetch_add(&inside, 1) == 0);
  atomic_fetch_sub(&inside, 1);
  unlock(me);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (long i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, (void *)i);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return 0;
}
