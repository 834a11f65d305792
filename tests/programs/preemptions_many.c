// SPDX-License-Identifier: MIT
// heddle: --strategy exhaustive --max-preemptions 100
// A bound that is never reached changes nothing: complete, C(6, 3) runs.
// expect: exit=0 verdict=clean complete=true runs=20
#include <pthread.h>

int x;

static void *worker(void *unused) {
  x = 1;
  x = 2;
  x = 3;
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, worker, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
