// SPDX-License-Identifier: MIT
// Every result of the rwlock functions, and their attributes.
// expect: exit=0 verdict=clean
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static const struct timespec past = {1, 0}, bad = {1, 1000000000};

static void *while_written(void *unused) {
  assert(pthread_rwlock_tryrdlock(&lock) == EBUSY && pthread_rwlock_trywrlock(&lock) == EBUSY);
  assert(pthread_rwlock_timedrdlock(&lock, &past) == ETIMEDOUT);
  assert(pthread_rwlock_timedwrlock(&lock, &past) == ETIMEDOUT);
  assert(pthread_rwlock_clockrdlock(&lock, CLOCK_MONOTONIC, &past) == ETIMEDOUT);
  assert(pthread_rwlock_clockwrlock(&lock, CLOCK_MONOTONIC, &past) == ETIMEDOUT);
  return NULL;
}

static void *while_read(void *unused) {
  assert(pthread_rwlock_trywrlock(&lock) == EBUSY && pthread_rwlock_timedwrlock(&lock, &past) == ETIMEDOUT);
  assert(pthread_rwlock_tryrdlock(&lock) == 0 && pthread_rwlock_timedrdlock(&lock, &past) == 0);
  assert(pthread_rwlock_clockrdlock(&lock, CLOCK_REALTIME, &past) == 0 && pthread_rwlock_rdlock(&lock) == 0);
  for (int i = 0; i < 4; i++) assert(pthread_rwlock_unlock(&lock) == 0);
  return NULL;
}

static void meanwhile(void *(*function)(void *)) {
  pthread_t t;
  pthread_create(&t, NULL, function, NULL);
  pthread_join(t, NULL);
}

static void many_locks(void) {
  static pthread_rwlock_t locks[40];
  int n = 0;
  for (int i = 0; i < 40; i++) assert(pthread_rwlock_init(&locks[i], NULL) == 0);
  while (n < 32 && pthread_rwlock_rdlock(&locks[n]) == 0) n++;
  assert(n == 32);
  assert(pthread_rwlock_rdlock(&locks[0]) == 0 && pthread_rwlock_unlock(&locks[0]) == 0);
  while (n--) assert(pthread_rwlock_unlock(&locks[n]) == 0);
}

int main(void) {
  pthread_rwlockattr_t attributes;
  pthread_rwlock_t made;
  int value = -1;
  assert(pthread_rwlock_wrlock(&lock) == 0);
  assert(pthread_rwlock_wrlock(&lock) == EDEADLK && pthread_rwlock_rdlock(&lock) == EDEADLK);
  assert(pthread_rwlock_timedwrlock(&lock, &past) == EDEADLK && pthread_rwlock_timedrdlock(&lock, &past) == EDEADLK);
  assert(pthread_rwlock_tryrdlock(&lock) == EBUSY && pthread_rwlock_trywrlock(&lock) == EBUSY);
  assert(pthread_rwlock_timedrdlock(&lock, &bad) == EINVAL && pthread_rwlock_timedwrlock(&lock, &bad) == EINVAL);
  assert(pthread_rwlock_clockrdlock(&lock, CLOCK_THREAD_CPUTIME_ID, &past) == EINVAL);
  assert(pthread_rwlock_clockwrlock(&lock, CLOCK_THREAD_CPUTIME_ID, &past) == EINVAL);
  meanwhile(while_written);
  assert(pthread_rwlock_unlock(&lock) == 0);
  assert(pthread_rwlock_rdlock(&lock) == 0);
  meanwhile(while_read);
  assert(pthread_rwlock_unlock(&lock) == 0);
  assert(pthread_rwlock_trywrlock(&lock) == 0 && pthread_rwlock_unlock(&lock) == 0);
  assert(pthread_rwlock_timedwrlock(&lock, &past) == 0 && pthread_rwlock_unlock(&lock) == 0);
  assert(pthread_rwlock_clockwrlock(&lock, CLOCK_MONOTONIC, &past) == 0 && pthread_rwlock_unlock(&lock) == 0);
  assert(pthread_rwlock_destroy(&lock) == 0);
  many_locks();

  assert(pthread_rwlockattr_init(&attributes) == 0);
  assert(pthread_rwlockattr_setkind_np(&attributes, 99) == EINVAL);
  assert(pthread_rwlockattr_setkind_np(&attributes, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP) == 0);
  assert(pthread_rwlockattr_getkind_np(&attributes, &value) == 0);
  assert(value == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
  assert(pthread_rwlockattr_setpshared(&attributes, PTHREAD_PROCESS_PRIVATE) == 0);
  assert(pthread_rwlockattr_getpshared(&attributes, &value) == 0 && value == PTHREAD_PROCESS_PRIVATE);
  assert(pthread_rwlock_init(&made, &attributes) == 0 && pthread_rwlockattr_destroy(&attributes) == 0);
  assert(pthread_rwlock_wrlock(&made) == 0 && pthread_rwlock_wrlock(&made) == EDEADLK);
  assert(pthread_rwlock_unlock(&made) == 0 && pthread_rwlock_destroy(&made) == 0);
  return 0;
}
