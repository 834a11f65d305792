// SPDX-License-Identifier: MIT
// A thread still waits on a condition variable when main returns: it has given its mutex back, so nobody holds a lock.
// expect: exit=0 complete=true bugs=0 warnings=0
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *waits(void *unused) {
  pthread_mutex_lock(&m);
  pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, waits, NULL);
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  return 0;
}
