// SPDX-License-Identifier: MIT
// A lock with a time-out: that it can time out is not modelled, so nothing is proved.
// heddle: --strategy con2colic
// expect: exit=3 verdict=incomplete "output~can end by itself"
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused) {
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t thread;
  struct timespec deadline;
  clock_gettime(CLOCK_REALTIME, &deadline);
  deadline.tv_sec++;
  pthread_create(&thread, NULL, work, NULL);
  if (pthread_mutex_timedlock(&lock, &deadline) == 0) pthread_mutex_unlock(&lock);
  pthread_join(thread, NULL);
  return 0;
}
