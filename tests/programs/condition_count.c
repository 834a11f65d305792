// SPDX-License-Identifier: MIT
// Two waiters and two signals: which waiter wakes is a choice, and signals can be lost. 14 runs, 6 deadlocks.
// heddle: --keep-going
// model: lock m; wait c m; unlock m | lock m; wait c m; unlock m | lock m; signal c; signal c; unlock m
// expect: exit=1 runs=14 runs=model
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *waiter(void *unused) {
  pthread_mutex_lock(&m);
  pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
  return NULL;
}

static void *signaller(void *unused) {
  pthread_mutex_lock(&m);
  pthread_cond_signal(&c);
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  return NULL;
}

int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], NULL, waiter, NULL);
  pthread_create(&t[1], NULL, waiter, NULL);
  pthread_create(&t[2], NULL, signaller, NULL);
  for (int i = 0; i < 3; i++) pthread_join(t[i], NULL);
  return 0;
}
