// SPDX-License-Identifier: MIT
// heddle: -O3
// Accesses stay visible operations whatever the optimisation: C(6, 3) runs.
// expect: exit=0 verdict=clean runs=20
#include <pthread.h>

int x;

static void *worker(void *unused) {
  x = 1;
  x = 2;
  x = 3;
  return NULL;
}

int main(void) {
  pthread_t s, t;
  pthread_create(&s, NULL, worker, NULL);
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(s, NULL);
  pthread_join(t, NULL);
  return 0;
}
