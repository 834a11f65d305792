// SPDX-License-Identifier: MIT
// A thread-local variable handed to another thread is shared memory.
// expect: exit=0 verdict=clean
// observe: seen=0
// observe: seen=5
#include "heddle.h"
#include <pthread.h>

static __thread int local;

static void *worker(void *argument) {
  *(int *)argument = 5;
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, &local);
  heddle_observe("seen", local);
  pthread_join(t, NULL);
  return 0;
}
