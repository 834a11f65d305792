// SPDX-License-Identifier: MIT
// Loops around trywrlock and tryrdlock are spin loops: parked while nothing changes, so that the exploration ends.
// expect: exit=0 verdict=clean complete=true
#include <assert.h>
#include <pthread.h>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int value;

static void *writer(void *unused) {
  while (pthread_rwlock_trywrlock(&lock) != 0) continue;
  value = 1;
  value = 2;
  pthread_rwlock_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, writer, NULL);
  while (pthread_rwlock_tryrdlock(&lock) != 0) continue;
  assert(value != 1);
  pthread_rwlock_unlock(&lock);
  pthread_join(t, NULL);
  return 0;
}
