// SPDX-License-Identifier: MIT
// Robust mutexes: EOWNERDEAD after the owner's end, consistent or lost from then on. A wait that relocks one as well.
// expect: exit=0 verdict=clean
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t a, b, c;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static void *leaver(void *mutex) {
  assert(pthread_mutex_lock(mutex) == 0);
  return NULL;
}

static void leave_behind(pthread_mutex_t *mutex) {
  pthread_t t;
  pthread_create(&t, NULL, leaver, mutex);
  pthread_join(t, NULL);
}

static void *robber(void *mutex) {
  assert(pthread_mutex_unlock(mutex) == EPERM);
  assert(pthread_cond_wait(&condition, mutex) == EPERM);
  return NULL;
}

static void make(pthread_mutex_t *mutex) {
  pthread_mutexattr_t attributes;
  int robust = 0;
  pthread_mutexattr_init(&attributes);
  assert(pthread_mutexattr_setrobust(&attributes, 77) == EINVAL);
  assert(pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST) == 0);
  assert(pthread_mutexattr_getrobust(&attributes, &robust) == 0 && robust == PTHREAD_MUTEX_ROBUST);
  assert(pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT) == 0);
  assert(pthread_mutex_init(mutex, &attributes) == 0);
}

int main(void) {
  make(&a);
  make(&b);
  make(&c);
  const struct timespec past = {0, 0};

  assert(pthread_mutex_consistent(&a) == EINVAL);
  assert(pthread_mutex_lock(&a) == 0 && pthread_mutex_consistent(&a) == EINVAL && pthread_mutex_unlock(&a) == 0);
  leave_behind(&a);
  assert(pthread_mutex_lock(&a) == EOWNERDEAD);
  assert(pthread_mutex_consistent(&a) == 0 && pthread_mutex_consistent(&a) == EINVAL);
  assert(pthread_mutex_unlock(&a) == 0 && pthread_mutex_trylock(&a) == 0);
  pthread_t t;
  pthread_create(&t, NULL, robber, &a);
  pthread_join(t, NULL);
  assert(pthread_mutex_unlock(&a) == 0);

  leave_behind(&b);
  assert(pthread_mutex_trylock(&b) == EOWNERDEAD && pthread_mutex_unlock(&b) == 0);
  assert(pthread_mutex_lock(&b) == ENOTRECOVERABLE && pthread_mutex_trylock(&b) == ENOTRECOVERABLE);
  assert(pthread_mutex_timedlock(&b, &past) == ENOTRECOVERABLE && pthread_mutex_consistent(&b) == EINVAL);

  leave_behind(&c);
  assert(pthread_mutex_timedlock(&c, &past) == EOWNERDEAD);
  assert(pthread_cond_timedwait(&condition, &c, &past) == ENOTRECOVERABLE);
  return 0;
}
