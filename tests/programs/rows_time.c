// SPDX-License-Identifier: MIT
// Clocks move by what is slept, agree with each other, and refuse what is not a time or not a clock.
// expect: exit=0 verdict=clean runs=1
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static long long nanoseconds(clockid_t clock) {
  struct timespec now;
  assert(clock_gettime(clock, &now) == 0);
  return now.tv_sec * 1000000000ll + now.tv_nsec;
}

static void *worker(void *unused) {
  const long long begin = nanoseconds(CLOCK_MONOTONIC), begin_real = nanoseconds(CLOCK_REALTIME);
  const clock_t begin_clock = clock();
  assert(begin > 0 && begin_clock >= 0);
  struct timespec rest = {7, 7};
  assert(sleep(10) == 0 && usleep(1000) == 0);
  assert(nanosleep(&(struct timespec){5, 0}, &rest) == 0 && rest.tv_sec == 0 && rest.tv_nsec == 0);
  assert(clock_nanosleep(CLOCK_MONOTONIC, 0, &(struct timespec){5, 0}, NULL) == 0);
  assert(nanoseconds(CLOCK_MONOTONIC) >= begin + 20001000000ll);
  assert(nanoseconds(CLOCK_REALTIME) >= begin_real + 20001000000ll);
  assert(clock() > begin_clock);

  const long long until = nanoseconds(CLOCK_REALTIME) / 1000000000 + 100;
  assert(clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &(struct timespec){until, 0}, NULL) == 0);
  assert(clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &(struct timespec){1, 0}, NULL) == 0); // long past
  time_t seconds;
  struct timeval now;
  assert(time(&seconds) == seconds && seconds >= until && seconds < until + 2);
  assert(gettimeofday(&now, NULL) == 0 && now.tv_sec >= seconds && now.tv_sec < seconds + 2);

  assert(nanosleep(&(struct timespec){0, 1000000000}, NULL) == -1 && errno == EINVAL);
  assert(nanosleep(&(struct timespec){-1, 0}, NULL) == -1 && errno == EINVAL);
  assert(clock_nanosleep(CLOCK_REALTIME, 0, &(struct timespec){0, -1}, NULL) == EINVAL);
  assert(clock_nanosleep(12345, 0, &(struct timespec){1, 0}, NULL) == EINVAL);
  struct timespec unused_time;
  assert(clock_gettime(12345, &unused_time) == -1 && errno == EINVAL);
  assert(sched_yield() == 0);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  pthread_join(thread, NULL);
  worker(NULL);
  return 0;
}
