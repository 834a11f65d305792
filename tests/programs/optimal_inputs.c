// SPDX-License-Identifier: MIT
// Inputs and schedules together: the two writers are in a race, what they do depends on the input, the reader of
// `other` commutes with both. With 0 < x < 5 both write (2 orders), otherwise one of them (1): 2 + 1 + 1 ways, each
// once.
// heddle: --strategy optimal --races off
// expect: runs=4 blocked_runs=0 divergences=0 paths=3 verdict=clean complete=true
// observe: last=1
// observe: last=2
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int place, other;
static int x;

static void *first(void *unused) {
  if (x > 0) atomic_store(&place, 1);
  return NULL;
}

static void *second(void *unused) {
  if (x < 5) atomic_store(&place, 2);
  return NULL;
}

static void *third(void *unused) {
  atomic_load(&other);
  return NULL;
}

int main(void) {
  pthread_t threads[3];
  x = heddle_input_int("x");
  pthread_create(&threads[0], NULL, first, NULL);
  pthread_create(&threads[1], NULL, second, NULL);
  pthread_create(&threads[2], NULL, third, NULL);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  heddle_observe("last", place);
  return 0;
}
