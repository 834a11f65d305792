// SPDX-License-Identifier: MIT
// A loop that spins a bounded number of times and then gives up counts its rounds: it is not a livelock.
// expect: exit=0 verdict=clean complete=true
// observe: ready=0
// observe: ready=1
#include "heddle.h"
#include <pthread.h>
#include <stdatomic.h>

atomic_int ready;

static void *waiter(void *unused) {
  int seen = 0;
  for (int i = 0; i < 4 && !seen; i++) seen = ready;
  heddle_observe("ready", seen);
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, waiter, NULL);
  ready = 1;
  pthread_join(t, NULL);
  return 0;
}
