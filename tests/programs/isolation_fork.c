// SPDX-License-Identifier: MIT
// heddle: --isolation=fork
// Every run in a process of its own gives the same counts.
// expect: exit=0 verdict=clean runs=20
#include <assert.h>
#include <pthread.h>

static int calls;
int x;

static void *worker(void *unused) {
  x = 1;
  x = 2;
  x = 3;
  return NULL;
}

int main(void) {
  assert(calls++ == 0);
  pthread_t s, t;
  pthread_create(&s, NULL, worker, NULL);
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(s, NULL);
  pthread_join(t, NULL);
  return 0;
}
