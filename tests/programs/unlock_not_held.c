// SPDX-License-Identifier: MIT
// Unlocking a normal mutex that another thread holds.
// expect: exit=1 bug=lock-misuse line=BUG
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *unused) {
  pthread_mutex_unlock(&m); /* BUG */
  return NULL;
}

int main(void) {
  pthread_mutex_lock(&m);
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(t, NULL);
  pthread_mutex_unlock(&m);
  return 0;
}
