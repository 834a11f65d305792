// SPDX-License-Identifier: MIT
// More mutexes than heddle has room for: the run is stopped, which is said, and is not the program's fault.
// expect: exit=3 verdict=incomplete bugs=0 truncated_runs=1 output~"196608 synchronisation objects"
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#define COUNT 1000000

int main(void) {
  pthread_mutex_t *mutexes = malloc(COUNT * sizeof *mutexes);
  assert(mutexes);
  for (int i = 0; i < COUNT; i++) assert(pthread_mutex_init(&mutexes[i], NULL) == 0);
  free(mutexes);
  return 0;
}
