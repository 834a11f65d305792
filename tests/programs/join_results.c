// SPDX-License-Identifier: MIT
// pthread_join gives what the thread returned or passed to pthread_exit.
// expect: exit=0 verdict=clean runs=1
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static void leave(void) {
  pthread_exit((void *)22);
}

static void *returns(void *argument) {
  return argument;
}

static void *exits(void *unused) {
  leave();
  return (void *)33;
}

int main(void) {
  pthread_t a, b;
  void *result;
  assert(pthread_create(&a, NULL, returns, (void *)11) == 0);
  assert(pthread_create(&b, NULL, exits, NULL) == 0);
  assert(pthread_join(a, &result) == 0 && result == (void *)11);
  assert(pthread_join(b, &result) == 0 && result == (void *)22);
  return 0;
}
