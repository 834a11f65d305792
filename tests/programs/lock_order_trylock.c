// SPDX-License-Identifier: MIT
// The thread that goes against the order only tries: it never waits.
// expect: exit=0 complete=true warnings=0
#include <pthread.h>

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void *in_order(void *unused) {
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  return NULL;
}

static void *tries(void *unused) {
  pthread_mutex_lock(&b);
  if (pthread_mutex_trylock(&a) == 0) pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  return NULL;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, NULL, in_order, NULL);
  pthread_create(&u, NULL, tries, NULL);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  return 0;
}
