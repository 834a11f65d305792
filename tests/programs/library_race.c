// SPDX-License-Identifier: MIT
// Data races with functions of the C library: the time is written while it is read.
// heddle: --strategy exhaustive
// expect: exit=0 data_race_warnings=1 data_race_lines=RACE
#include <pthread.h>
#include <sys/time.h>

static struct timeval now;

static void *worker(void *argument) {
  gettimeofday(&now, NULL); // RACE
  return argument;
}

int main(void) {
  static volatile long seconds;
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  seconds = now.tv_sec; // RACE
  pthread_join(t, NULL);
  return 0;
}
