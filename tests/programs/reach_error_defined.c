// SPDX-License-Identifier: MIT
// SV-COMP's error function, defined by the program as its benchmarks do.
// expect: exit=1 bug=assertion
#include <assert.h>
#include <pthread.h>

void reach_error() {
  assert(0);
}

int x;

static void *worker(void *unused) {
  if (x == 1) reach_error();
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  x = 1;
  x = 2;
  pthread_join(t, NULL);
  return 0;
}
