/* SPDX-License-Identifier: MIT
 *
 * Fib, of the SV-COMP benchmarks as the unfolding paper uses it: two threads add two shared variables to each other, N
 * times each (read the own variable, read the other, write the own); main reads both meanwhile. WATCH=0 leaves main's
 * reads out.
 */
#include <pthread.h>

#ifndef N
#define N 3
#endif
#ifndef WATCH
#define WATCH 1
#endif

static int i = 1, j = 1;

static void *left(void *unused) {
  for (int k = 0; k < N; k++) i = i + j;
  return NULL;
}

static void *right(void *unused) {
  for (int k = 0; k < N; k++) j = j + i;
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int seen_i = 0, seen_j = 0;
  pthread_create(&a, NULL, left, NULL);
  pthread_create(&b, NULL, right, NULL);
  if (WATCH) {
    seen_i = i;
    seen_j = j;
  }
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return seen_i < 0 || seen_j < 0;
}
