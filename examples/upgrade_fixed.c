// SPDX-License-Identifier: MIT
//
// upgrade.c repaired: a reader gives the lock back before it becomes a writer. Two may compute the value; it is the
// same.
//
// expect: exit=0 verdict=clean warnings=0 runs=3
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value;

static void store(int computed) {
  pthread_rwlock_wrlock(&lock);
  value = computed;
  pthread_rwlock_unlock(&lock);
}

static int lookup(void) {
  pthread_rwlock_rdlock(&lock);
  int result = value;
  pthread_rwlock_unlock(&lock);
  if (result == 0) store(result = 42);
  return result;
}

static void *user(void *unused) {
  assert(lookup() == 42);
  return NULL;
}

static void *warm_up(void *unused) {
  store(42);
  return NULL;
}

int main(void) {
  pthread_t warmer, reader;
  pthread_create(&warmer, NULL, warm_up, NULL);
  pthread_create(&reader, NULL, user, NULL);
  pthread_join(warmer, NULL);
  pthread_join(reader, NULL);
  return 0;
}
