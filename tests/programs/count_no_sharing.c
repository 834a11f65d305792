// SPDX-License-Identifier: MIT
// Threads that share nothing: one run.
// expect: exit=0 verdict=clean runs=1
#include <pthread.h>

int a, b;

static void *left(void *unused) {
  for (int i = 0; i < 10; i++) a += i;
  return NULL;
}

static void *right(void *unused) {
  for (int i = 0; i < 10; i++) b += i;
  return NULL;
}

int main(void) {
  pthread_t s, t;
  pthread_create(&s, NULL, left, NULL);
  pthread_create(&t, NULL, right, NULL);
  pthread_join(s, NULL);
  pthread_join(t, NULL);
  return a + b == 90 ? 0 : 1;
}
