// SPDX-License-Identifier: MIT
// A hand-made spin lock with test-and-set.
// expect: exit=0 verdict=clean complete=true
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_flag lock = ATOMIC_FLAG_INIT;
int x;

static void *worker(void *unused) {
  while (atomic_flag_test_and_set(&lock)) {
  }
  x++;
  atomic_flag_clear(&lock);
  return NULL;
}

int main(void) {
  pthread_t s, t;
  pthread_create(&s, NULL, worker, NULL);
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(s, NULL);
  pthread_join(t, NULL);
  assert(x == 2);
  return 0;
}
