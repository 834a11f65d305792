// SPDX-License-Identifier: MIT
// Shared accesses in a callback that libc calls are visible operations.
// expect: exit=0 verdict=clean runs=6
#include <pthread.h>
#include <stdlib.h>

int calls;

static int compare(const void *a, const void *b) {
  calls++;
  return *(const int *)a - *(const int *)b;
}

static void *worker(void *unused) {
  int values[] = {2, 1};
  qsort(values, 2, sizeof *values, compare);
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
