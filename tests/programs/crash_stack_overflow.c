// SPDX-License-Identifier: MIT
// expect: exit=1 bug=crash message~"stack overflow"
#include <pthread.h>

static int deeper(volatile int *n) {
  volatile int here[64];
  here[0] = *n + 1;
  return deeper(here) + here[1];
}

static void *worker(void *unused) {
  volatile int zero = 0;
  deeper(&zero);
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(t, NULL);
  return 0;
}
