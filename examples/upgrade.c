// SPDX-License-Identifier: MIT
//
// A cache protected by a read-write lock: a thread that does not find a value computes it and stores it.
//
// What is wrong: lookup keeps the lock for reading while it takes it for writing. It then waits
// for all readers to finish, and is one of them. It works as long as somebody else has stored the value before.
// upgrade_fixed.c gives the lock back in between.
//
// expect: exit=1 bug=deadlock runs<=200
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
  if (value == 0) store(42);
  const int result = value;
  pthread_rwlock_unlock(&lock);
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
