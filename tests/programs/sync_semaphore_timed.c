// SPDX-License-Identifier: MIT
// sem_timedwait and sem_clockwait: got it, timed out, and the errors.
// expect: exit=0 verdict=clean complete=true
// observe: got=0
// observe: got=1
#include "heddle.h"
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static sem_t s;

static void *giver(void *unused) {
  sem_post(&s);
  return NULL;
}

int main(void) {
  struct timespec soon, now;
  clock_gettime(CLOCK_REALTIME, &soon);
  soon.tv_sec += 7;
  const struct timespec bad = {soon.tv_sec, -1}, past = {0, 0};
  assert(sem_init(&s, 0, 1) == 0);
  assert(sem_timedwait(&s, &bad) == -1 && errno == EINVAL);
  assert(sem_timedwait(&s, &past) == 0);
  assert(sem_timedwait(&s, &past) == -1 && errno == ETIMEDOUT);
  assert(sem_clockwait(&s, CLOCK_MONOTONIC, &past) == -1 && errno == ETIMEDOUT);
  assert(sem_clockwait(&s, CLOCK_THREAD_CPUTIME_ID, &past) == -1 && errno == EINVAL);
  assert(sem_clockwait(&s, CLOCK_REALTIME, &bad) == -1 && errno == EINVAL);
  pthread_t t;
  pthread_create(&t, NULL, giver, NULL);
  const int got = sem_timedwait(&s, &soon) == 0;
  if (!got) assert(errno == ETIMEDOUT);
  clock_gettime(CLOCK_REALTIME, &now);
  assert((now.tv_sec >= soon.tv_sec) == !got);
  heddle_observe("got", got);
  pthread_join(t, NULL);
  assert(sem_destroy(&s) == 0);
  return 0;
}
