// SPDX-License-Identifier: MIT
// Main's accesses between create and join are operations like any other: C(4, 2) runs; those before are not.
// expect: exit=0 verdict=clean runs=6
#include <pthread.h>

int x;

static void *worker(void *unused) {
  x = 1;
  x = 2;
  return NULL;
}

int main(void) {
  x = 7;
  x = 8;
  pthread_t a;
  pthread_create(&a, NULL, worker, NULL);
  x = 3;
  x = 4;
  pthread_join(a, NULL);
  x = 5;
  return 0;
}
