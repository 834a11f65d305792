// SPDX-License-Identifier: MIT
// Three threads of 1, 2 and 4 operations: 7! / (1! 2! 4!) = 105 runs.
// expect: exit=0 verdict=clean runs=105
#include <pthread.h>

int x;

static void *worker(void *argument) {
  for (long i = 0; i < (long)argument; i++) x = (int)i;
  return NULL;
}

int main(void) {
  pthread_t t[3];
  for (long i = 0; i < 3; i++) pthread_create(&t[i], NULL, worker, (void *)(1L << i));
  for (int i = 0; i < 3; i++) pthread_join(t[i], NULL);
  return 0;
}
