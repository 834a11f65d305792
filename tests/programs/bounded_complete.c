// SPDX-License-Identifier: MIT
// heddle: --strategy optimal --max-preemptions 0
// Three threads that take one lock once: all six orders need no preemption, so the bound leaves nothing out.
// expect: exit=0 verdict=clean complete=true runs=6
#include <pthread.h>

int x;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *unused) {
  pthread_mutex_lock(&lock);
  x++;
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, worker, NULL);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  return 0;
}
