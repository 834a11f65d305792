// SPDX-License-Identifier: MIT
// A bounded spin whose bound is symbolic, and whose rounds compute with the input: no state is taken for another.
// expect: exit=0 verdict=clean bugs=0
// observe: gave_up=0
// observe: gave_up=1
#include "heddle.h"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int flag;

static void *worker(void *unused) {
  (void)unused;
  atomic_store(&flag, 1);
  return NULL;
}

int main(void) {
  const unsigned rounds = (unsigned)heddle_input_range("rounds", 0, 2);
  unsigned left = rounds;
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  while (!atomic_load(&flag) && left > 0) left--;
  const _Bool gave_up = left == 0;
  if (!gave_up) assert(rounds > 0);
  heddle_observe("gave_up", gave_up);
  pthread_join(t, NULL);
  assert(atomic_load(&flag) == 1);
  return 0;
}
