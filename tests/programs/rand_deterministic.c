// SPDX-License-Identifier: MIT
// rand and time give the same values in every run.
// expect: exit=0 verdict=clean runs=20 observations=1
#include "heddle.h"
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

int x;

static void *worker(void *argument) {
  x = 1;
  const int first = rand();
  x = 2;
  const int second = rand();
  x = 3;
  heddle_observe(argument ? "a1" : "b1", first);
  heddle_observe(argument ? "a2" : "b2", second);
  return NULL;
}

int main(void) {
  srand((unsigned)time(NULL));
  pthread_t s, t;
  pthread_create(&s, NULL, worker, NULL);
  pthread_create(&t, NULL, worker, (void *)1);
  pthread_join(s, NULL);
  pthread_join(t, NULL);
  heddle_observe("main", random());
  return 0;
}
