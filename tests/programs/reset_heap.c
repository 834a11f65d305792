// SPDX-License-Identifier: MIT
// The heap starts anew in every run: malloc gives the same addresses, a large block is zero again.
// expect: exit=0 verdict=clean runs=20 observations=1
#include "heddle.h"
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int x;

static void *worker(void *argument) {
  x = 1;
  char *block = malloc(100);
  x = 2;
  block[50] = 1;
  x = 3;
  heddle_observe(argument ? "a" : "b", (long long)block);
  return NULL;
}

int main(void) {
  char *big = calloc(1, 10 << 20);
  assert(big[5 << 20] == 0);
  big[5 << 20] = 1;
  pthread_t s, t;
  pthread_create(&s, NULL, worker, NULL);
  pthread_create(&t, NULL, worker, (void *)1);
  pthread_join(s, NULL);
  pthread_join(t, NULL);
  return 0;
}
