// SPDX-License-Identifier: MIT
// heddle: --max-runs 10
// expect: exit=3 verdict=incomplete complete=false runs=10
#include <pthread.h>

int x;

static void *worker(void *unused) {
  for (int i = 0; i < 10; i++) x = i;
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
