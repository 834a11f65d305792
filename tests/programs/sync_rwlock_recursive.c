// SPDX-License-Identifier: MIT
// Readers are preferred: one that locks twice gets in the second time, also when a writer waits.
// expect: exit=0 verdict=clean complete=true
#include <assert.h>
#include <pthread.h>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int value;

static void *writer(void *unused) {
  pthread_rwlock_wrlock(&lock);
  value++;
  pthread_rwlock_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, writer, NULL);
  pthread_rwlock_rdlock(&lock);
  const int before = value;
  pthread_rwlock_rdlock(&lock);
  assert(value == before);
  pthread_rwlock_unlock(&lock);
  assert(value == before);
  pthread_rwlock_unlock(&lock);
  pthread_join(t, NULL);
  return 0;
}
