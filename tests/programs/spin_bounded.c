// SPDX-License-Identifier: MIT
// A loop that gives up after ten tries is no endless one: it reads 0 between none and ten times, and gives up in one
// run.
// expect: exit=0 verdict=clean complete=true runs=11
// observe: tries=0
// observe: tries=1
// observe: tries=2
// observe: tries=3
// observe: tries=4
// observe: tries=5
// observe: tries=6
// observe: tries=7
// observe: tries=8
// observe: tries=9
// observe: tries=10
#include "heddle.h"
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;

static void *set(void *unused) {
  atomic_store(&ready, 1);
  return unused;
}

int main(void) {
  pthread_t thread;
  int tries = 0;
  pthread_create(&thread, 0, set, 0);
  while (tries < 10 && !atomic_load(&ready)) tries++;
  heddle_observe("tries", tries);
  pthread_join(thread, 0);
  return 0;
}
