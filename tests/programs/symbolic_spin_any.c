// SPDX-License-Identifier: MIT
// A thread that spins on a symbolic value that does come.
// expect: exit=0 verdict=clean bugs=0
// observe: value=7
// observe: value=0
#include "heddle.h"
#include <pthread.h>
#include <stdatomic.h>

atomic_int flag;
int value;

static void *worker(void *x) {
  value = *(int *)x;
  atomic_store(&flag, value | 1);
  return NULL;
}

int main(void) {
  int x = heddle_input_int("x");
  pthread_t t;
  pthread_create(&t, NULL, worker, &x);
  while (!atomic_load(&flag)) continue;
  heddle_observe("value", value == 7 ? 7 : 0);
  pthread_join(t, NULL);
  return 0;
}
