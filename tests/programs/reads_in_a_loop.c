// SPDX-License-Identifier: MIT
// A bounded loop of reads is not a spin loop: all 101 sums are seen.
// expect: exit=0 verdict=clean runs=101 observations=101
#include "heddle.h"
#include <pthread.h>

volatile int x;

static void *reader(void *unused) {
  int sum = 0;
  for (int i = 0; i < 100; i++) sum += x;
  heddle_observe("sum", sum);
  return NULL;
}

static void *writer(void *unused) {
  x = 1;
  return NULL;
}

int main(void) {
  pthread_t s, t;
  pthread_create(&s, NULL, reader, NULL);
  pthread_create(&t, NULL, writer, NULL);
  pthread_join(s, NULL);
  pthread_join(t, NULL);
  return 0;
}
