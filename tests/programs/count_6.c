// SPDX-License-Identifier: MIT
// Two threads that each read and write one variable three times: C(12, 6) runs.
// expect: exit=0 verdict=clean runs=924
#include <pthread.h>

int x;

static void *worker(void *unused) {
  for (int i = 0; i < 3; i++) x++;
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
