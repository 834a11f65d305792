// SPDX-License-Identifier: MIT
// A flag that nobody sets.
// expect: exit=1 bug=livelock
#include <pthread.h>
#include <stdatomic.h>

atomic_int ready, other;

static void *waiter(void *unused) {
  while (!ready) {
  } /* BUG */
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, waiter, NULL);
  other = 1;
  if (other == 2) ready = 1;
  pthread_join(t, NULL);
  return 0;
}
