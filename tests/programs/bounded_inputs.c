// SPDX-License-Identifier: MIT
// heddle: --strategy optimal --max-preemptions 0
// Without preemptions two threads come in two orders, and the reader has two paths in each of them: which one it takes
// depends on the input.
// expect: exit=3 complete=false runs=4 paths>=2 inputs=1
#include "heddle.h"

#include <pthread.h>

int x, seen, limit;

static void *writer(void *unused) {
  x = 1;
  x = 2;
  return NULL;
}

static void *reader(void *unused) {
  if (limit > 7)
    seen = x;
  else
    seen = x + 1;
  seen += x;
  return NULL;
}

int main(void) {
  pthread_t a, b;
  limit = heddle_input_int("limit");
  pthread_create(&a, NULL, writer, NULL);
  pthread_create(&b, NULL, reader, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
