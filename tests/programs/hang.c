// SPDX-License-Identifier: MIT
// A loop without visible operations that reaches the same state again and again: it never ends.
// expect: exit=1 bug=livelock line=BUG
#include <pthread.h>

static void *worker(void *unused) {
  volatile int local = 0;
  while (1) local = !local; /* BUG */
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(t, NULL);
  return 0;
}
