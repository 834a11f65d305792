// SPDX-License-Identifier: MIT
// Results of the spinlock functions.
// expect: exit=0 verdict=clean
#include <assert.h>
#include <errno.h>
#include <pthread.h>

pthread_spinlock_t lock;

static void *other(void *unused) {
  assert(pthread_spin_trylock(&lock) == EBUSY);
  return NULL;
}

int main(void) {
  pthread_t t;
  assert(pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE) == 0);
  assert(pthread_spin_lock(&lock) == 0 && pthread_spin_trylock(&lock) == EBUSY);
  pthread_create(&t, NULL, other, NULL);
  pthread_join(t, NULL);
  assert(pthread_spin_unlock(&lock) == 0);
  assert(pthread_spin_trylock(&lock) == 0 && pthread_spin_unlock(&lock) == 0);
  assert(pthread_spin_destroy(&lock) == 0);
  return 0;
}
