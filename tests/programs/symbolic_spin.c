// SPDX-License-Identifier: MIT
// A thread that spins until a symbolic value appears: it is parked; with a value that never comes it is a livelock.
// expect: exit=1 verdict=bug bug=livelock bugs=1
#include "heddle.h"
#include <pthread.h>
#include <stdatomic.h>

atomic_int flag;

static void *worker(void *x) {
  atomic_store(&flag, *(int *)x);
  return NULL;
}

int main(void) {
  int x = heddle_input_int("x");
  pthread_t t;
  if (x == 0) return 0;
  pthread_create(&t, NULL, worker, &x);
  while (atomic_load(&flag) != 5) continue;
  pthread_join(t, NULL);
  return 0;
}
