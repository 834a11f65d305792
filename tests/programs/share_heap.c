// SPDX-License-Identifier: MIT
// A heap block that two threads use is shared; a block of one thread is not.
// expect: exit=0 verdict=clean runs=6
#include <pthread.h>
#include <stdlib.h>

static void *worker(void *argument) {
  int *shared = argument;
  int *own = malloc(100 * sizeof *own);
  for (int i = 0; i < 100; i++) own[i] = i;
  *shared += own[99];
  free(own);
  return NULL;
}

int main(void) {
  int *shared = calloc(1, sizeof *shared);
  pthread_t s, t;
  pthread_create(&s, NULL, worker, shared);
  pthread_create(&t, NULL, worker, shared);
  pthread_join(s, NULL);
  pthread_join(t, NULL);
  free(shared);
  return 0;
}
