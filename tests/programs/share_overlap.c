// SPDX-License-Identifier: MIT
// Accesses of different sizes that overlap conflict: a two-byte write into a four-byte word is seen.
// expect: exit=0 verdict=clean runs=2 observations=2
// observe: seen=0
// observe: seen=65536
#include "heddle.h"
#include <pthread.h>
#include <string.h>

union {
  int whole;
  short half[2];
} word;

static void *writer(void *unused) {
  word.half[1] = 1;
  return NULL;
}

static void *reader(void *unused) {
  const int seen = word.whole;
  heddle_observe("seen", seen);
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
