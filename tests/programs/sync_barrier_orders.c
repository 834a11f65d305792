// SPDX-License-Identifier: MIT
// What is written before a barrier is visible after it; what is not written before it may still race.
// expect: exit=0 verdict=clean complete=true
// observe: before=3 behind=0
// observe: before=3 behind=1
#include "heddle.h"
#include <pthread.h>
#include <stdatomic.h>

static pthread_barrier_t barrier;
static int left, right;
static atomic_int behind;

static void *other(void *unused) {
  left = 1;
  pthread_barrier_wait(&barrier);
  behind = 1;
  return NULL;
}

int main(void) {
  pthread_barrier_init(&barrier, NULL, 2);
  pthread_t t;
  pthread_create(&t, NULL, other, NULL);
  right = 2;
  pthread_barrier_wait(&barrier);
  heddle_observe("before", left + right);
  heddle_observe("behind", behind);
  pthread_join(t, NULL);
  return 0;
}
