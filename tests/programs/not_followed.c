// SPDX-License-Identifier: MIT
// A synchronisation function that is not modelled is named.
// heddle: --hang-time 1
// expect: output~pthread_barrier_wait
#include <pthread.h>

pthread_barrier_t barrier;

static void *worker(void *unused) {
  pthread_barrier_wait(&barrier);
  return NULL;
}

int main(void) {
  pthread_barrier_init(&barrier, NULL, 1);
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(t, NULL);
  return 0;
}
