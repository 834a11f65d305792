// SPDX-License-Identifier: MIT
// Locked sections with accesses around them.
// model: write x; lock m; write x; unlock m; write x | write x; lock m; write x; unlock m; write x
// expect: exit=0 verdict=clean runs=model
#include <pthread.h>

pthread_mutex_t m;
int x;

static void *worker(void *unused) {
  x = 1;
  pthread_mutex_lock(&m);
  x = 2;
  pthread_mutex_unlock(&m);
  x = 3;
  return NULL;
}

int main(void) {
  pthread_mutex_init(&m, NULL);
  pthread_t a, b;
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, worker, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  pthread_mutex_destroy(&m);
  return 0;
}
