// SPDX-License-Identifier: MIT
// One thread takes both orders, the other takes one lock at a time: no deadlock is possible.
// expect: exit=0 complete=true warnings=0
#include <pthread.h>

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void take(pthread_mutex_t *first, pthread_mutex_t *second) {
  pthread_mutex_lock(first);
  pthread_mutex_lock(second);
  pthread_mutex_unlock(second);
  pthread_mutex_unlock(first);
}

static void *both_orders(void *unused) {
  take(&a, &b);
  take(&b, &a);
  return NULL;
}

static void *one_at_a_time(void *unused) {
  pthread_mutex_lock(&a);
  pthread_mutex_unlock(&a);
  pthread_mutex_lock(&b);
  pthread_mutex_unlock(&b);
  return NULL;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, NULL, both_orders, NULL);
  pthread_create(&u, NULL, one_at_a_time, NULL);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  return 0;
}
