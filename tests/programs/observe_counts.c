// SPDX-License-Identifier: MIT
// Each observation counts its runs: 20 in all.
// heddle: --keep-going
// expect: exit=0 verdict=clean runs=20
// observe: x=1
// observe: x=3
#include "heddle.h"
#include <pthread.h>

int x;

static void *up(void *unused) {
  x = 1;
  x = 2;
  x = 3;
  return NULL;
}

static void *down(void *unused) {
  x = 3;
  x = 2;
  x = 1;
  return NULL;
}

int main(void) {
  pthread_t s, t;
  pthread_create(&s, NULL, up, NULL);
  pthread_create(&t, NULL, down, NULL);
  pthread_join(s, NULL);
  pthread_join(t, NULL);
  heddle_observe("x", x);
  return 0;
}
