// SPDX-License-Identifier: MIT
// heddle: --strategy random --max-runs 1000
// Random runs prove nothing: no bug, not complete.
// expect: exit=3 verdict=incomplete complete=false runs=1000
#include <pthread.h>

int x;

static void *worker(void *unused) {
  x++;
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
