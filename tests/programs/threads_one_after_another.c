// SPDX-License-Identifier: MIT
// Two hundred threads, one at a time: one run.
// expect: exit=0 verdict=clean runs=1
#include <assert.h>
#include <pthread.h>

int x;

static void *worker(void *unused) {
  x++;
  return NULL;
}

int main(void) {
  for (int i = 0; i < 200; i++) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_join(t, NULL);
  }
  assert(x == 200);
  return 0;
}
