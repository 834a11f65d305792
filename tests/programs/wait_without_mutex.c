// SPDX-License-Identifier: MIT
// Waiting on a condition variable with a mutex that is not held.
// expect: exit=1 bug=lock-misuse line=BUG
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *worker(void *unused) {
  pthread_cond_wait(&c, &m); /* BUG */
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  pthread_cond_signal(&c);
  pthread_join(t, NULL);
  return 0;
}
