// SPDX-License-Identifier: MIT
// Two orders, but both under a third lock: no deadlock is possible.
// expect: exit=0 complete=true warnings=0
#include <pthread.h>

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER, gate = PTHREAD_MUTEX_INITIALIZER;

static void take(pthread_mutex_t *first, pthread_mutex_t *second) {
  pthread_mutex_lock(&gate);
  pthread_mutex_lock(first);
  pthread_mutex_lock(second);
  pthread_mutex_unlock(second);
  pthread_mutex_unlock(first);
  pthread_mutex_unlock(&gate);
}

static void *forwards(void *unused) {
  take(&a, &b);
  return NULL;
}

static void *backwards(void *unused) {
  take(&b, &a);
  return NULL;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, NULL, forwards, NULL);
  pthread_create(&u, NULL, backwards, NULL);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  return 0;
}
