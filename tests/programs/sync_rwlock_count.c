// SPDX-License-Identifier: MIT
// Two readers and a writer, each locking and unlocking. Readers overlap in any way (6 orders of their four operations);
// the writer's pair goes in wherever nobody reads: before and after always, and in the middle of the 2 orders in which
// one reader ends before the other begins. 6 * 2 + 2 = 14 runs.
// expect: exit=0 verdict=clean complete=true runs=14
#include <pthread.h>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *reader(void *unused) {
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_unlock(&lock);
  return NULL;
}

static void *writer(void *unused) {
  pthread_rwlock_wrlock(&lock);
  pthread_rwlock_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], NULL, reader, NULL);
  pthread_create(&t[1], NULL, reader, NULL);
  pthread_create(&t[2], NULL, writer, NULL);
  for (int i = 0; i < 3; i++) pthread_join(t[i], NULL);
  return 0;
}
