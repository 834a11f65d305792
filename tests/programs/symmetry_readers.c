// SPDX-License-Identifier: MIT
// Thirteen readers that are the same and a writer: of 2^13 traces those are left that differ in how many readers come
// before it.
// heddle: --strategy optimal --symmetry auto --races off
// expect: exit=0 verdict=clean complete=true runs=14 blocked_runs=0
#include <pthread.h>
#include <stddef.h>

#define READERS 13

static int variable;

static void *reader(void *unused) {
  return variable == 2 ? &variable : NULL;
}

static void *writer(void *unused) {
  variable = 1;
  return NULL;
}

int main(void) {
  pthread_t threads[READERS + 1];
  pthread_create(&threads[READERS], NULL, writer, NULL);
  for (int i = 0; i < READERS; i++) pthread_create(&threads[i], NULL, reader, NULL);
  for (int i = 0; i <= READERS; i++) pthread_join(threads[i], NULL);
  return 0;
}
