// SPDX-License-Identifier: MIT
// The same without the error. r is the reader's read of x, q and w the writer's read and write: in the orders rqw and
// qrw the reader sees 0, which is not an input; in qwr its branch has two sides. That makes four runs.
// expect: exit=0 verdict=clean complete=true runs=4 observations=2
// observe: seen=0
// observe: seen=1
#include "heddle.h"
#include <pthread.h>

static int x, seen;

static void *reader(void *unused) {
  const int a = x;
  if (a > 0) seen = 1;
  return NULL;
}

static void *writer(void *unused) {
  const int b = x;
  if (b == 0) x = heddle_input_int("written");
  return NULL;
}

int main(void) {
  pthread_t s, t;
  pthread_create(&s, NULL, reader, NULL);
  pthread_create(&t, NULL, writer, NULL);
  pthread_join(s, NULL);
  pthread_join(t, NULL);
  heddle_observe("seen", seen);
  return 0;
}
