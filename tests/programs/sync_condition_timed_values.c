// SPDX-License-Identifier: MIT
// Results of timed waits, the clocks they use, attributes of condition variables. Afterwards the mutex is held.
// expect: exit=0 verdict=clean runs=1
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

int main(void) {
  pthread_condattr_t attributes;
  pthread_mutexattr_t checked;
  pthread_mutex_t m;
  pthread_cond_t realtime = PTHREAD_COND_INITIALIZER, monotonic;
  clockid_t clock = 0;
  int shared = 0;
  pthread_mutexattr_init(&checked);
  pthread_mutexattr_settype(&checked, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&m, &checked);
  assert(pthread_condattr_init(&attributes) == 0);
  assert(pthread_condattr_setclock(&attributes, CLOCK_PROCESS_CPUTIME_ID) == EINVAL);
  assert(pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC) == 0);
  assert(pthread_condattr_getclock(&attributes, &clock) == 0 && clock == CLOCK_MONOTONIC);
  assert(pthread_condattr_setpshared(&attributes, PTHREAD_PROCESS_PRIVATE) == 0);
  assert(pthread_condattr_getpshared(&attributes, &shared) == 0 && shared == PTHREAD_PROCESS_PRIVATE);
  assert(pthread_cond_init(&monotonic, &attributes) == 0 && pthread_condattr_destroy(&attributes) == 0);

  struct timespec soon, now;
  clock_gettime(CLOCK_MONOTONIC, &soon);
  soon.tv_sec += 5;
  const struct timespec bad = {soon.tv_sec, -1};
  assert(pthread_cond_timedwait(&monotonic, &m, &soon) == EPERM);
  pthread_mutex_lock(&m);
  assert(pthread_cond_timedwait(&monotonic, &m, &bad) == EINVAL);
  assert(pthread_cond_timedwait(&monotonic, &m, &soon) == ETIMEDOUT);
  clock_gettime(CLOCK_MONOTONIC, &now);
  assert(now.tv_sec == soon.tv_sec);
  assert(pthread_mutex_lock(&m) == EDEADLK);

  /* Long ago for this clock: no time passes. */
  assert(pthread_cond_timedwait(&realtime, &m, &soon) == ETIMEDOUT);
  clock_gettime(CLOCK_MONOTONIC, &now);
  assert(now.tv_sec == soon.tv_sec);

  soon.tv_sec += 5;
  assert(pthread_cond_clockwait(&realtime, &m, CLOCK_MONOTONIC, &soon) == ETIMEDOUT);
  clock_gettime(CLOCK_MONOTONIC, &now);
  assert(now.tv_sec == soon.tv_sec);
  assert(pthread_cond_clockwait(&realtime, &m, CLOCK_THREAD_CPUTIME_ID, &soon) == EINVAL);
  assert(pthread_cond_clockwait(&realtime, &m, CLOCK_REALTIME, &bad) == EINVAL);
  assert(pthread_mutex_unlock(&m) == 0);
  assert(pthread_cond_destroy(&monotonic) == 0);
  return 0;
}
