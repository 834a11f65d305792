// SPDX-License-Identifier: MIT
// A thread that creates a thread: the child's operation follows the parent's first, so 3 runs.
// expect: exit=0 verdict=clean runs=3 threads=3
#include <pthread.h>

int x;

static void *child(void *unused) {
  x = 1;
  return NULL;
}

static void *parent(void *unused) {
  x = 2;
  pthread_t t;
  pthread_create(&t, NULL, child, NULL);
  x = 3;
  x = 4;
  pthread_join(t, NULL);
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, parent, NULL);
  pthread_join(t, NULL);
  return 0;
}
