// SPDX-License-Identifier: MIT
// heddle: --hang-time 1
// A loop without visible operations.
// expect: exit=1 bug=livelock
#include <pthread.h>

static void *worker(void *unused) {
  volatile int local = 0;
  while (1) local++;
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(t, NULL);
  return 0;
}
