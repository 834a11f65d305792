// SPDX-License-Identifier: MIT
// Megabytes of output in one run are no trouble.
// expect: exit=0 verdict=clean runs=2
#include <pthread.h>
#include <stdio.h>

int x;

static void *worker(void *unused) {
  x = 1;
  return NULL;
}

int main(void) {
  for (int i = 0; i < 50000; i++) printf("line %d of much output that nobody will ever read\n", i);
  pthread_t s, t;
  pthread_create(&s, NULL, worker, NULL);
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(s, NULL);
  pthread_join(t, NULL);
  return 0;
}
