// SPDX-License-Identifier: MIT
// A thread that was joined is no longer a thread: ESRCH, as glibc says; one that was detached is one that cannot be
// detached again.
// expect: exit=0 verdict=clean runs=1
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <threads.h>

static void *body(void *unused) {
  return NULL;
}

int main(void) {
  pthread_t joined, detached;
  pthread_create(&joined, NULL, body, NULL);
  pthread_create(&detached, NULL, body, NULL);
  pthread_join(joined, NULL);
  assert(pthread_detach(joined) == ESRCH && thrd_detach(joined) == thrd_error);
  assert(pthread_detach(detached) == 0 && pthread_detach(detached) == EINVAL);
  return 0;
}
