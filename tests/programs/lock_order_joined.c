// SPDX-License-Identifier: MIT
// Two orders, one after the other: main before it creates the thread and after it joined it, and one thread created
// after the other was joined.
// expect: exit=0 complete=true warnings=0
#include <pthread.h>

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void take(pthread_mutex_t *first, pthread_mutex_t *second) {
  pthread_mutex_lock(first);
  pthread_mutex_lock(second);
  pthread_mutex_unlock(second);
  pthread_mutex_unlock(first);
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
  pthread_t t;
  take(&b, &a);
  pthread_create(&t, NULL, forwards, NULL);
  pthread_join(t, NULL);
  take(&b, &a);
  pthread_create(&t, NULL, backwards, NULL);
  pthread_join(t, NULL);
  return 0;
}
