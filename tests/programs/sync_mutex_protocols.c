// SPDX-License-Identifier: MIT
// Priority protocols and ceilings are accepted and kept.
// expect: exit=0 verdict=clean
#include <assert.h>
#include <errno.h>
#include <pthread.h>

int main(void) {
  pthread_mutexattr_t attributes;
  pthread_mutex_t protect, plain = PTHREAD_MUTEX_INITIALIZER;
  int value = 0, old = 0;
  assert(pthread_mutexattr_init(&attributes) == 0);
  assert(pthread_mutexattr_setprotocol(&attributes, 99) == EINVAL);
  assert(pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_PROTECT) == 0);
  assert(pthread_mutexattr_getprotocol(&attributes, &value) == 0 && value == PTHREAD_PRIO_PROTECT);
  assert(pthread_mutexattr_setprioceiling(&attributes, 1000) == EINVAL);
  assert(pthread_mutexattr_setprioceiling(&attributes, 7) == 0);
  assert(pthread_mutexattr_getprioceiling(&attributes, &value) == 0 && value == 7);
  assert(pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED) == 0);
  assert(pthread_mutexattr_getpshared(&attributes, &value) == 0 && value == PTHREAD_PROCESS_SHARED);
  assert(pthread_mutex_init(&protect, &attributes) == 0);
  assert(pthread_mutex_getprioceiling(&protect, &value) == 0 && value == 7);
  assert(pthread_mutex_setprioceiling(&protect, 9, &old) == 0 && old == 7);
  assert(pthread_mutex_getprioceiling(&protect, &value) == 0 && value == 9);
  assert(pthread_mutex_setprioceiling(&protect, 1000, &old) == EINVAL);
  assert(pthread_mutex_setprioceiling(&plain, 9, &old) == EINVAL);
  assert(pthread_mutex_lock(&protect) == 0);
  assert(pthread_mutex_unlock(&protect) == 0 && pthread_mutex_destroy(&protect) == 0);
  return 0;
}
