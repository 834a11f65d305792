// SPDX-License-Identifier: MIT
// Static variables start anew in every run.
// expect: exit=0 verdict=clean runs=924
#include <assert.h>
#include <pthread.h>

static int initialised = 5, zeroed, runs;
int x;

static void *worker(void *unused) {
  static int calls;
  x = ++calls;
  x = 2;
  x = 3;
  assert(calls <= 2);
  return NULL;
}

int main(void) {
  assert(initialised == 5 && zeroed == 0 && runs == 0);
  initialised = 6, zeroed = 1, runs++;
  pthread_t s, t;
  pthread_create(&s, NULL, worker, NULL);
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(s, NULL);
  pthread_join(t, NULL);
  return 0;
}
