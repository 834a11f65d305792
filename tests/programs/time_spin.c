// SPDX-License-Identifier: MIT
// Waiting for the clock in a loop ends.
// expect: exit=0 verdict=clean
#include <pthread.h>
#include <time.h>

static void *worker(void *unused) {
  const time_t start = time(NULL);
  while (time(NULL) < start + 2) {
  }
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(t, NULL);
  return 0;
}
