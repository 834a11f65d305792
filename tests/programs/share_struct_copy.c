// SPDX-License-Identifier: MIT
// Copying a struct reads its parts: another thread may write in between.
// expect: exit=0 verdict=clean
// observe: a=0 b=0
// observe: a=0 b=1
// observe: a=1 b=0
// observe: a=1 b=1
#include "heddle.h"
#include <pthread.h>

struct pair {
  long a, b;
} pair;

static void *writer(void *unused) {
  pair.a = 1;
  pair.b = 1;
  return NULL;
}

static void *reader(void *unused) {
  const struct pair seen = pair;
  heddle_observe("a", seen.a);
  heddle_observe("b", seen.b);
  return NULL;
}

int main(void) {
  pthread_t s, t;
  pthread_create(&s, NULL, writer, NULL);
  pthread_create(&t, NULL, reader, NULL);
  pthread_join(s, NULL);
  pthread_join(t, NULL);
  return 0;
}
