// SPDX-License-Identifier: MIT
// A barrier of three, passed twice: exactly one serial thread each time. Arrivals are the
// only visible operations: 3! orders for each round, 36 runs.
// expect: exit=0 verdict=clean complete=true runs=36
// observe: serials=2 first=1 second=1
#include "heddle.h"
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_barrier_t barrier;
static int serial[2][3];

static void *thread(void *argument) {
  const int me = (int)(long)argument;
  for (int round = 0; round < 2; round++) {
    const int result = pthread_barrier_wait(&barrier);
    assert(result == 0 || result == PTHREAD_BARRIER_SERIAL_THREAD);
    serial[round][me] = result == PTHREAD_BARRIER_SERIAL_THREAD;
  }
  return NULL;
}

int main(void) {
  pthread_barrierattr_t attributes;
  int shared = 0, first = 0, second = 0;
  assert(pthread_barrierattr_init(&attributes) == 0);
  assert(pthread_barrierattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED) == 0);
  assert(pthread_barrierattr_getpshared(&attributes, &shared) == 0 && shared == PTHREAD_PROCESS_SHARED);
  assert(pthread_barrier_init(&barrier, &attributes, 0) == EINVAL);
  assert(pthread_barrier_init(&barrier, &attributes, 3) == 0);
  assert(pthread_barrierattr_destroy(&attributes) == 0);
  pthread_t t[3];
  for (long i = 0; i < 3; i++) pthread_create(&t[i], NULL, thread, (void *)i);
  for (int i = 0; i < 3; i++) pthread_join(t[i], NULL);
  for (int i = 0; i < 3; i++) first += serial[0][i], second += serial[1][i];
  heddle_observe("first", first);
  heddle_observe("second", second);
  heddle_observe("serials", first + second);
  assert(pthread_barrier_destroy(&barrier) == 0);
  return 0;
}
