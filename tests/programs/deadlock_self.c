// SPDX-License-Identifier: MIT
// Locking a normal mutex twice.
// expect: exit=1 bug=deadlock line=BUG
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *unused) {
  pthread_mutex_lock(&m);
  pthread_mutex_lock(&m); /* BUG */
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(t, NULL);
  return 0;
}
