// SPDX-License-Identifier: MIT
// A hundred thousand mutexes have room.
// expect: exit=0 verdict=clean bugs=0 runs=1
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#define COUNT 100000

int main(void) {
  pthread_mutex_t *mutexes = malloc(COUNT * sizeof *mutexes);
  assert(mutexes);
  for (int i = 0; i < COUNT; i++) assert(pthread_mutex_init(&mutexes[i], NULL) == 0);
  free(mutexes);
  return 0;
}
