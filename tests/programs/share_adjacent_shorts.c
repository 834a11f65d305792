// SPDX-License-Identifier: MIT
// Neighbouring fields used by different threads are not shared: one run.
// expect: exit=0 verdict=clean runs=1
#include <pthread.h>

struct pair {
  short left, right;
  int more;
} pair;

static void *left(void *unused) {
  for (int i = 0; i < 3; i++) pair.left++;
  return NULL;
}

static void *right(void *unused) {
  for (int i = 0; i < 3; i++) pair.right++, pair.more++;
  return NULL;
}

int main(void) {
  pthread_t s, t;
  pthread_create(&s, NULL, left, NULL);
  pthread_create(&t, NULL, right, NULL);
  pthread_join(s, NULL);
  pthread_join(t, NULL);
  return 0;
}
