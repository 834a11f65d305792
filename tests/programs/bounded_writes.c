// SPDX-License-Identifier: MIT
// heddle: --strategy optimal --max-preemptions 1
// Two threads of three writes of one variable, of which no two commute: one after the other, or one is interrupted once
// by the other after its first or second write. Six classes, one run each; more preemptions would show more.
// expect: exit=3 verdict=incomplete complete=false runs=6 strategy=bounded
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
