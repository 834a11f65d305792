// SPDX-License-Identifier: MIT
// Types of mutexes: what the attribute says is what the mutex does; EINVAL for a type there is not.
// expect: exit=0 verdict=clean runs=1
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static void initialise(pthread_mutex_t *mutex, int type) {
  pthread_mutexattr_t attributes;
  int read = -1;
  assert(pthread_mutexattr_init(&attributes) == 0);
  assert(pthread_mutexattr_gettype(&attributes, &read) == 0 && read == PTHREAD_MUTEX_DEFAULT);
  assert(pthread_mutexattr_settype(&attributes, 12345) == EINVAL);
  assert(pthread_mutexattr_settype(&attributes, type) == 0);
  assert(pthread_mutexattr_gettype(&attributes, &read) == 0 && read == type);
  assert(pthread_mutex_init(mutex, &attributes) == 0);
  assert(pthread_mutexattr_destroy(&attributes) == 0);
}

int main(void) {
  pthread_mutex_t mutex;
  initialise(&mutex, PTHREAD_MUTEX_NORMAL);
  assert(pthread_mutex_lock(&mutex) == 0 && pthread_mutex_trylock(&mutex) == EBUSY);
  assert(pthread_mutex_unlock(&mutex) == 0 && pthread_mutex_destroy(&mutex) == 0);

  initialise(&mutex, PTHREAD_MUTEX_RECURSIVE);
  assert(pthread_mutex_lock(&mutex) == 0 && pthread_mutex_lock(&mutex) == 0 && pthread_mutex_trylock(&mutex) == 0);
  for (int i = 0; i < 3; i++) assert(pthread_mutex_unlock(&mutex) == 0);
  assert(pthread_mutex_unlock(&mutex) == EPERM && pthread_mutex_destroy(&mutex) == 0);

  initialise(&mutex, PTHREAD_MUTEX_ERRORCHECK);
  assert(pthread_mutex_lock(&mutex) == 0 && pthread_mutex_lock(&mutex) == EDEADLK);
  assert(pthread_mutex_trylock(&mutex) == EBUSY);
  assert(pthread_mutex_unlock(&mutex) == 0 && pthread_mutex_unlock(&mutex) == EPERM);
  assert(pthread_mutex_destroy(&mutex) == 0);
  return 0;
}
