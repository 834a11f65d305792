// SPDX-License-Identifier: MIT
// A thread that computes forever, which the end of the process ends: no finding.
// expect: exit=0 verdict=clean runs=1
#include <pthread.h>

static void *worker(void *unused) {
  while (1) {
  }
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  return 0;
}
