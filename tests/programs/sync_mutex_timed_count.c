// SPDX-License-Identifier: MIT
// A timed lock succeeds when the mutex is free and times out when it is not: before the other thread, between its lock
// and its unlock, after it. 3 runs.
// expect: exit=0 verdict=clean complete=true runs=3
// observe: got=0
// observe: got=1
#include "heddle.h"
#include <pthread.h>
#include <time.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *plain(void *unused) {
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  return NULL;
}

static void *timed(void *unused) {
  struct timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  time.tv_sec++;
  const int got = pthread_mutex_timedlock(&m, &time) == 0;
  heddle_observe("got", got);
  if (got) pthread_mutex_unlock(&m);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, plain, NULL);
  pthread_create(&b, NULL, timed, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
