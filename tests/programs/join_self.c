// SPDX-License-Identifier: MIT
// Joining oneself is an error of pthread_join, not a deadlock.
// expect: exit=0 verdict=clean
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static void *worker(void *unused) {
  assert(pthread_join(pthread_self(), NULL) == EDEADLK);
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(t, NULL);
  return 0;
}
