// SPDX-License-Identifier: MIT
// heddle: --strategy random --max-runs 20 --max-events 300
// A loop that continues forever through the same states unless another thread ends it: that one does, so that it is no
// livelock, although the thread is suspected when the flag is not known to be shared.
// expect: exit=3 bugs=0 runs=20
#include <pthread.h>

static volatile int flag, table[8];
static int x;

static void *waiter(void *unused) {
  for (int i = 0; !flag; i = (i + 1) % 8) table[i] ^= 5;
  return NULL;
}

static void *other(void *unused) {
  x = 1;
  return NULL;
}

int main(void) {
  pthread_t s, t;
  pthread_create(&s, NULL, waiter, NULL);
  pthread_create(&t, NULL, other, NULL);
  x = 2;
  flag = 1;
  pthread_join(s, NULL);
  pthread_join(t, NULL);
  return 0;
}
