// SPDX-License-Identifier: MIT
// The P and V of a binary semaphore take turns: two threads that do V, V and P, P end in one way only.
// expect: exit=0 verdict=clean complete=true runs=1
// observe: done=2
#include "heddle.h"
#include <pthread.h>

static heddle_semaphore binary = HEDDLE_BINARY_SEMAPHORE(0);
static int done;

static void *giver(void *unused) {
  heddle_V(&binary);
  heddle_V(&binary);
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, giver, NULL);
  for (int i = 0; i < 2; i++) {
    heddle_P(&binary);
    done++;
  }
  pthread_join(t, NULL);
  heddle_observe("done", done);
  return 0;
}
