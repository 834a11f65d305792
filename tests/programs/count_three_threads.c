// SPDX-License-Identifier: MIT
// Three threads of two operations: 6! / (2! 2! 2!) = 90 runs.
// expect: exit=0 verdict=clean runs=90 runs=model
// model: read x; write x | read x; write x | read x; write x
#include <pthread.h>

int x;

static void *worker(void *unused) {
  x++;
  return NULL;
}

int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++) pthread_create(&t[i], NULL, worker, NULL);
  for (int i = 0; i < 3; i++) pthread_join(t[i], NULL);
  return 0;
}
