// SPDX-License-Identifier: MIT
// A loop over two conditions: parked until one of them changes.
// expect: exit=0 verdict=clean complete=true
#include <pthread.h>
#include <stdatomic.h>

atomic_int left, right;

static void *waiter(void *unused) {
  while (!left || !right) {
  }
  return NULL;
}

static void *setter(void *unused) {
  left = 1;
  return NULL;
}

int main(void) {
  pthread_t s, t;
  pthread_create(&s, NULL, waiter, NULL);
  pthread_create(&t, NULL, setter, NULL);
  right = 1;
  pthread_join(s, NULL);
  pthread_join(t, NULL);
  return 0;
}
