// SPDX-License-Identifier: MIT
// Every interleaving for every side: the input decides how often a thread writes. With n writes of it against 2 of the
// other there are C(n+2, 2) interleavings: 1 + 3 + 6 = 10 for n = 0, 1, 2.
// expect: exit=0 verdict=clean complete=true runs=10
#include "heddle.h"
#include <pthread.h>

static volatile int x;

static void *variable(void *argument) {
  const int n = *(int *)argument;
  if (n > 0) x = 1;
  if (n > 1) x = 2;
  return NULL;
}

static void *constant(void *unused) {
  x = 3;
  x = 4;
  return NULL;
}

int main(void) {
  int n = (int)heddle_input_range("n", 0, 2);
  pthread_t s, t;
  pthread_create(&s, NULL, variable, &n);
  pthread_create(&t, NULL, constant, NULL);
  pthread_join(s, NULL);
  pthread_join(t, NULL);
  return 0;
}
