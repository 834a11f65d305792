// SPDX-License-Identifier: MIT
// A function of the C library that is in no table, and gets memory that threads share: the result is incomplete, and
// the call is named.
// expect: exit=3 verdict=incomplete complete=false bugs=0 output~lfind output~"not followed" output~not_followed.c:16
#include <pthread.h>
#include <search.h>

static int numbers[2];

static int compare(const void *a, const void *b) {
  return *(const int *)a - *(const int *)b;
}

static void *worker(void *key) {
  size_t count = 2;
  lfind(key, numbers, &count, sizeof *numbers, compare);
  return NULL;
}

int main(void) {
  int key = 1;
  pthread_t t;
  pthread_create(&t, NULL, worker, &key);
  numbers[1] = 1;
  pthread_join(t, NULL);
  return 0;
}
