// SPDX-License-Identifier: MIT
// Sequential consistency: not both threads can read 0.
// expect: exit=0 verdict=clean runs=6 observations=3
// observe: a=0 b=1
// observe: a=1 b=0
// observe: a=1 b=1
#include "heddle.h"
#include <pthread.h>

int x, y;

static void *left(void *unused) {
  x = 1;
  heddle_observe("a", y);
  return NULL;
}

static void *right(void *unused) {
  y = 1;
  heddle_observe("b", x);
  return NULL;
}

int main(void) {
  pthread_t s, t;
  pthread_create(&s, NULL, left, NULL);
  pthread_create(&t, NULL, right, NULL);
  pthread_join(s, NULL);
  pthread_join(t, NULL);
  return 0;
}
