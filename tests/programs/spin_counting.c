// SPDX-License-Identifier: MIT
// A thread that spins on a flag and counts its rounds in a local variable; the flag is not known to be shared when it
// starts.
// heddle: --strategy random --max-runs 200 --max-events 2000 --hang-time 3
// expect: bugs=0 exit=3
#include <pthread.h>

volatile int ready;

static void *waiter(void *unused) {
  long rounds = 0;
  volatile long copy;
  while (!ready) copy = ++rounds;
  return NULL;
}

static void *setter(void *unused) {
  ready = 1;
  return NULL;
}

int main(void) {
  pthread_t s, t;
  pthread_create(&s, NULL, waiter, NULL);
  pthread_create(&t, NULL, setter, NULL);
  pthread_join(s, NULL);
  pthread_join(t, NULL);
  return 0;
}
