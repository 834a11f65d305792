// SPDX-License-Identifier: MIT
//
// Peterson's algorithm: mutual exclusion for two threads with three variables.
//
// What is wrong: a thread gives way to the other before it says that it wants to enter. The other can pass in between,
// and both are inside. peterson_fixed.c says so first.
//
// expect: exit=1 bug=assertion line=BUG runs<=200
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_bool wants[2];
static atomic_int turn;
static atomic_int inside;

static void lock(int me) {
  const int other = 1 - me;
  turn = other;
  wants[me] = true;
  while (wants[other] && turn == other) {
  }
}

static void unlock(int me) {
  wants[me] = false;
}

static void *worker(void *argument) {
  const int me = (int)(long)argument;
  lock(me);
  assert(atomic_fetch_add(&inside, 1) == 0); // BUG
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
