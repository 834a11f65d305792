// SPDX-License-Identifier: MIT
// A loop that continues forever through sixteen states of memory that no other thread touches.
// expect: exit=1 bug=livelock line=BUG
#include <pthread.h>

static int x;
static volatile int table[8];

static void *worker(void *unused) {
  x = 1;
  for (int i = 0;; i = (i + 1) % 8) table[i] ^= 5; /* BUG */
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  x = 2;
  pthread_join(t, NULL);
  return 0;
}
