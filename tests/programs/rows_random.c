// SPDX-License-Identifier: MIT
// Random numbers: the same seed gives a thread the same numbers, whatever the other does.
// expect: exit=0 verdict=clean
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int disturbance;

static void *worker(void *argument) {
  int first[3];
  long second[3];
  srand(17);
  for (int i = 0; i < 3; i++) {
    first[i] = rand();
    assert(first[i] >= 0);
  }
  assert(first[0] != first[1] || first[1] != first[2]);
  disturbance++;
  srandom(17);
  for (int i = 0; i < 3; i++) second[i] = random();
  disturbance++;
  srand(17);
  for (int i = 0; i < 3; i++) assert(rand() == first[i]);
  srandom(17);
  for (int i = 0; i < 3; i++) assert(random() == second[i] && second[i] >= 0);
  unsigned seed = 5, same_seed = 5;
  assert(rand_r(&seed) == rand_r(&same_seed) && seed == same_seed);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return 0;
}
