// SPDX-License-Identifier: MIT
// A thread that spins on a flag is parked until it changes: few runs, complete.
// expect: exit=0 verdict=clean complete=true runs<=20
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int ready;
int data;

static void *waiter(void *unused) {
  while (!atomic_load(&ready)) {
  }
  assert(data == 7);
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, waiter, NULL);
  data = 7;
  atomic_store(&ready, 1);
  pthread_join(t, NULL);
  return 0;
}
