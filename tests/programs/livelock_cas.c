// SPDX-License-Identifier: MIT
// A compare-exchange loop that waits for a value nobody writes.
// expect: exit=1 bug=livelock line=BUG
#include <pthread.h>
#include <stdatomic.h>

atomic_int lock;

static void *worker(void *unused) {
  int expected;
  do expected = 5;
  while (!atomic_compare_exchange_strong(&lock, &expected, 1)); /* BUG */
  return NULL;
}

int main(void) {
  pthread_t s, t;
  pthread_create(&s, NULL, worker, NULL);
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(s, NULL);
  pthread_join(t, NULL);
  return 0;
}
