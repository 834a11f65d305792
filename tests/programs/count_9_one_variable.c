// SPDX-License-Identifier: MIT
// Two threads of nine writes to one variable: C(18, 9) runs.
// expect: exit=0 verdict=clean runs=48620
#include <pthread.h>

volatile int x;

static void *worker(void *unused) {
  for (int i = 0; i < 9; i++) x = i;
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
