// SPDX-License-Identifier: MIT
// A detached thread runs to its end although main returns; it cannot be joined.
// expect: exit=0 verdict=clean
// observe: ran=1
#include "heddle.h"
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static void *worker(void *unused) {
  heddle_observe("ran", 1);
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  assert(pthread_detach(t) == 0);
  return 0;
}
