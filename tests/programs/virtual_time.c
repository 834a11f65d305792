// SPDX-License-Identifier: MIT
// Sleeping never really waits, and time moves forward by what was slept.
// expect: exit=0 verdict=clean
#include <assert.h>
#include <pthread.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static void *worker(void *unused) {
  const time_t before = time(NULL);
  assert(sleep(1000) == 0);
  assert(time(NULL) >= before + 1000);
  struct timespec start, end;
  clock_gettime(CLOCK_MONOTONIC, &start);
  usleep(500000);
  clock_gettime(CLOCK_MONOTONIC, &end);
  const long long passed = (end.tv_sec - start.tv_sec) * 1000000000ll + end.tv_nsec - start.tv_nsec;
  assert(passed >= 500000000);
  nanosleep(&(struct timespec){.tv_sec = 3600}, NULL);
  struct timeval now;
  gettimeofday(&now, NULL);
  assert(now.tv_sec >= before + 4600);
  return NULL;
}

int main(void) {
  pthread_t s, t;
  pthread_create(&s, NULL, worker, NULL);
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(s, NULL);
  pthread_join(t, NULL);
  return 0;
}
