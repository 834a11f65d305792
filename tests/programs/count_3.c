// SPDX-License-Identifier: MIT
// Two threads of three visible operations on one variable: C(6, 3) runs.
// expect: exit=0 verdict=clean complete=true runs=20 strategy=exhaustive blocked_runs=0 truncated_runs=0 threads=3
// model: write x; write x; write x | write x; write x; write x
// expect: runs=model visible_operations=120
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
