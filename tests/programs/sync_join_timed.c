// SPDX-License-Identifier: MIT
// pthread_tryjoin_np, timedjoin_np, clockjoin_np: the thread has ended or not, and the errors.
// expect: exit=0 verdict=clean complete=true
// observe: try=16 timed=0 value=1
// observe: try=16 timed=110 value=1
// observe: try=0 timed=3 value=1
#define _GNU_SOURCE
#include "heddle.h"
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static sem_t s;

static void *thread(void *argument) {
  sem_wait(&s);
  sem_post(&s);
  return argument;
}

int main(void) {
  pthread_t t, u;
  void *value = NULL;
  const struct timespec past = {1, 0}, bad = {1, -1};
  sem_init(&s, 0, 1);
  assert(pthread_tryjoin_np(pthread_self(), NULL) == EDEADLK);
  assert(pthread_timedjoin_np(pthread_self(), NULL, &past) == EDEADLK);
  pthread_create(&u, NULL, thread, NULL);
  assert(pthread_clockjoin_np(u, NULL, CLOCK_THREAD_CPUTIME_ID, &past) == EINVAL);
  assert(pthread_timedjoin_np(u, NULL, &bad) == EINVAL && pthread_clockjoin_np(u, NULL, CLOCK_REALTIME, NULL) == 0);
  assert(pthread_tryjoin_np(u, NULL) == ESRCH && pthread_timedjoin_np(u, NULL, NULL) == ESRCH);

  pthread_create(&t, NULL, thread, (void *)1);
  const int tried = pthread_tryjoin_np(t, &value);
  const int timed = tried ? pthread_clockjoin_np(t, &value, CLOCK_MONOTONIC, &past) : ESRCH;
  if (tried && timed) assert(pthread_timedjoin_np(t, &value, NULL) == 0);
  heddle_observe("try", tried);
  heddle_observe("timed", timed);
  heddle_observe("value", value == (void *)1);
  return 0;
}
