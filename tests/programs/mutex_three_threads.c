// SPDX-License-Identifier: MIT
// Three threads, two locked sections each.
// model: lock m; unlock m; lock m; unlock m | lock m; unlock m; lock m; unlock m | lock m; unlock m; lock m; unlock m
// expect: exit=0 verdict=clean runs=model
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *unused) {
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
  }
  return NULL;
}

int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++) pthread_create(&t[i], NULL, worker, NULL);
  for (int i = 0; i < 3; i++) pthread_join(t[i], NULL);
  return 0;
}
