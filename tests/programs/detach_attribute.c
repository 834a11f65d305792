// SPDX-License-Identifier: MIT
// A thread created detached.
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
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_t t;
  assert(pthread_create(&t, &attributes, worker, NULL) == 0);
  assert(pthread_join(t, NULL) == EINVAL);
  return 0;
}
