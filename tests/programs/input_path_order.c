// SPDX-License-Identifier: MIT
// Two threads with one input each and a branch on it, without sharing: four paths. A branch is not a visible operation,
// so there is nothing to interleave.
// expect: exit=0 verdict=clean complete=true runs=4 paths=4
#include "heddle.h"
#include <pthread.h>

static void *worker(void *argument) {
  const int x = heddle_input_int("x");
  if (x > 100) heddle_observe(argument ? "a" : "b", 1);
  return NULL;
}

int main(void) {
  pthread_t s, t;
  pthread_create(&s, NULL, worker, NULL);
  pthread_create(&t, NULL, worker, (void *)1);
  pthread_join(s, NULL);
  pthread_join(t, NULL);
  return 0;
}
