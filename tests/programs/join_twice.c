// SPDX-License-Identifier: MIT
// A thread can be joined once.
// expect: exit=0 verdict=clean runs=1
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static void *worker(void *unused) {
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  assert(pthread_join(t, NULL) == 0);
  const int again = pthread_join(t, NULL);
  assert(again == ESRCH || again == EINVAL);
  return 0;
}
