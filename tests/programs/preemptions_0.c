// SPDX-License-Identifier: MIT
// heddle: --strategy exhaustive --max-preemptions 0
// Without preemptions two threads run one after the other: 2 runs, and the bound was felt.
// expect: exit=3 verdict=incomplete runs=2
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
