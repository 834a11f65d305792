// SPDX-License-Identifier: MIT
// atexit handlers run at the end of every run, last first.
// expect: exit=0 verdict=clean runs=6
// observe: handler=2 order=21
// observe: handler=1 order=21
#include "heddle.h"
#include <pthread.h>
#include <stdlib.h>

int x, order;

static void first(void) {
  order = order * 10 + 1;
  heddle_observe("order", order);
}

static void second(void) {
  order = order * 10 + 2;
  heddle_observe("handler", x);
}

static void *worker(void *unused) {
  x++;
  return NULL;
}

int main(void) {
  atexit(first);
  atexit(second);
  pthread_t a, b;
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, worker, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  exit(0);
}
