// SPDX-License-Identifier: MIT
// A mutex is destroyed while the other thread holds it; sync_destroy_joined.c waits first.
// expect: exit=1 bug=lock-misuse line=BUG message~"destroy of a mutex that is locked"
#include <pthread.h>
#include <stdatomic.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
atomic_int started;

static void *user(void *unused) {
  pthread_mutex_lock(&m);
  started = 1;
  pthread_mutex_unlock(&m);
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, user, NULL);
  if (started) pthread_mutex_destroy(&m); // BUG
  pthread_join(t, NULL);
  return 0;
}
