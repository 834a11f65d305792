// SPDX-License-Identifier: MIT
// The edges of a cycle of three locks, but two of them by one thread: it is never at both.
// heddle: --strategy random --max-runs 2000
// expect: bugs=0 warnings=0
#include <pthread.h>

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER, c = PTHREAD_MUTEX_INITIALIZER;

static void take(pthread_mutex_t *first, pthread_mutex_t *second) {
  pthread_mutex_lock(first);
  pthread_mutex_lock(second);
  pthread_mutex_unlock(second);
  pthread_mutex_unlock(first);
}

static void *two_edges(void *unused) {
  take(&a, &b);
  take(&b, &c);
  return NULL;
}

static void *one_edge(void *unused) {
  take(&c, &a);
  return NULL;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, NULL, two_edges, NULL);
  pthread_create(&u, NULL, one_edge, NULL);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  return 0;
}
