// SPDX-License-Identifier: MIT
// heddle: --keep-going
// Crashes in many runs: the exploration continues to its end, and the distinct ones are reported.
// expect: exit=1 verdict=bug complete=true runs=20 bugs=1 bug=crash line=BUG
#include <pthread.h>

int x, *volatile nowhere;

static void *worker(void *argument) {
  x = 1;
  x = 2;
  x = 3;
  return NULL;
}

int main(void) {
  pthread_t s, t;
  pthread_create(&s, NULL, worker, NULL);
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(s, NULL);
  pthread_join(t, NULL);
  return *nowhere; /* BUG */
}
