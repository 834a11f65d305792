// SPDX-License-Identifier: MIT
// pthread_mutex_timedlock and clocklock: every result, and what a time-out does to the clock.
// expect: exit=0 verdict=clean runs=1
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t make(int type) {
  pthread_mutexattr_t attributes;
  pthread_mutex_t mutex;
  pthread_mutexattr_init(&attributes);
  assert(pthread_mutexattr_settype(&attributes, type) == 0);
  assert(pthread_mutex_init(&mutex, &attributes) == 0);
  pthread_mutexattr_destroy(&attributes);
  return mutex;
}

int main(void) {
  struct timespec soon, now;
  pthread_mutex_t normal = make(PTHREAD_MUTEX_NORMAL), recursive = make(PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_t errorcheck = make(PTHREAD_MUTEX_ERRORCHECK);
  clock_gettime(CLOCK_REALTIME, &soon);
  soon.tv_sec += 10;
  const struct timespec bad = {soon.tv_sec, 1000000000}, past = {-5, 0};

  assert(pthread_mutex_timedlock(&normal, &bad) == 0); /* not looked at when there is nothing to wait for */
  assert(pthread_mutex_timedlock(&normal, &bad) == EINVAL);
  assert(pthread_mutex_timedlock(&normal, &past) == ETIMEDOUT);
  clock_gettime(CLOCK_REALTIME, &now);
  assert(now.tv_sec < soon.tv_sec);
  assert(pthread_mutex_timedlock(&normal, &soon) == ETIMEDOUT);
  clock_gettime(CLOCK_REALTIME, &now);
  assert(now.tv_sec == soon.tv_sec);
  assert(pthread_mutex_unlock(&normal) == 0);

  assert(pthread_mutex_timedlock(&recursive, &soon) == 0 && pthread_mutex_timedlock(&recursive, &soon) == 0);
  assert(pthread_mutex_unlock(&recursive) == 0 && pthread_mutex_unlock(&recursive) == 0);
  assert(pthread_mutex_unlock(&recursive) == EPERM);
  assert(pthread_mutex_timedlock(&errorcheck, &soon) == 0);
  assert(pthread_mutex_timedlock(&errorcheck, &soon) == EDEADLK);

  clock_gettime(CLOCK_MONOTONIC, &soon);
  soon.tv_sec += 3;
  assert(pthread_mutex_clocklock(&normal, CLOCK_MONOTONIC, &soon) == 0);
  assert(pthread_mutex_clocklock(&normal, CLOCK_MONOTONIC, &soon) == ETIMEDOUT);
  clock_gettime(CLOCK_MONOTONIC, &now);
  assert(now.tv_sec == soon.tv_sec);
  assert(pthread_mutex_clocklock(&normal, CLOCK_PROCESS_CPUTIME_ID, &soon) == EINVAL);
  assert(pthread_mutex_clocklock(&errorcheck, CLOCK_REALTIME, &soon) == EDEADLK);
  return 0;
}
