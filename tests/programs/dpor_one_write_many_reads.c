// SPDX-License-Identifier: MIT
// A write and three reads that are all concurrent: each read comes before or after the write, 2^3 traces. A race
// detection that compares an access only with the last access of the same place sees one race of the write here, and
// misses most of them: jCUTE's defect.
// heddle: --strategy race-flip --races off
// expect: runs=8 blocked_runs=0 verdict=clean complete=true
// observe: a=0 b=0 c=0
// observe: a=0 b=0 c=1
// observe: a=0 b=1 c=0
// observe: a=0 b=1 c=1
// observe: a=1 b=0 c=0
// observe: a=1 b=0 c=1
// observe: a=1 b=1 c=0
// observe: a=1 b=1 c=1
#include <heddle.h>
#include <pthread.h>

static int x, seen[3];

static void *reader(void *place) {
  *(int *)place = x;
  return NULL;
}

static void *writer(void *unused) {
  x = 1;
  return NULL;
}

int main(void) {
  pthread_t threads[4];
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, reader, &seen[i]);
  pthread_create(&threads[3], NULL, writer, NULL);
  for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
  heddle_observe("a", seen[0]);
  heddle_observe("b", seen[1]);
  heddle_observe("c", seen[2]);
  return 0;
}
