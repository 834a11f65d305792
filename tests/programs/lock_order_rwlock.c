// SPDX-License-Identifier: MIT
// Two rwlocks in two orders, all for reading: nobody waits for a reader.
// expect: exit=0 complete=true warnings=0
#include <pthread.h>

pthread_rwlock_t a = PTHREAD_RWLOCK_INITIALIZER, b = PTHREAD_RWLOCK_INITIALIZER;

static void read_both(pthread_rwlock_t *first, pthread_rwlock_t *second) {
  pthread_rwlock_rdlock(first);
  pthread_rwlock_rdlock(second);
  pthread_rwlock_unlock(second);
  pthread_rwlock_unlock(first);
}

static void *forwards(void *unused) {
  read_both(&a, &b);
  return NULL;
}

static void *backwards(void *unused) {
  read_both(&b, &a);
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
