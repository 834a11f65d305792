// SPDX-License-Identifier: MIT
// The same with a plain flag and sched_yield, as older programs do.
// expect: exit=0 verdict=clean complete=true
#include <pthread.h>
#include <sched.h>

volatile int ready;

static void *waiter(void *unused) {
  while (!ready) sched_yield();
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, waiter, NULL);
  ready = 1;
  pthread_join(t, NULL);
  return 0;
}
