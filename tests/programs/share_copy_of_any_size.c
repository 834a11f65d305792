// SPDX-License-Identifier: MIT
// A copy whose size only the run knows reads first and writes later: what it writes is what it read, whatever others
// did in between.
// expect: exit=0 verdict=clean
// observe: from=1 to=0
// observe: from=1 to=1
// observe: from=1 to=5
#include "heddle.h"
#include <pthread.h>
#include <string.h>

static char from[16], to[16];
static volatile size_t size = sizeof from;

static void *copier(void *unused) {
  memcpy(to, from, size);
  return NULL;
}

static void *writer(void *unused) {
  from[0] = 1;
  to[0] = 5;
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, copier, NULL);
  pthread_create(&b, NULL, writer, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  heddle_observe("from", from[0]);
  heddle_observe("to", to[0]);
  return 0;
}
