/* SPDX-License-Identifier: MIT
 *
 * The Fib program: two threads add two shared variables to each other, each N times "read i, read j, write i".
 */
#include <pthread.h>

#ifndef N
#define N 3
#endif

int i = 1, j = 1;

static void *left(void *unused) {
  for (int k = 0; k < N; k++) i += j;
  return NULL;
}

static void *right(void *unused) {
  for (int k = 0; k < N; k++) j += i;
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, left, NULL);
  pthread_create(&b, NULL, right, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
