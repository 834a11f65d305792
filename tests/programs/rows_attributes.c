// SPDX-License-Identifier: MIT
// Attributes: what is set is what is got, and what there is not is refused with EINVAL.
// expect: exit=0 verdict=clean runs=1
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

// Sets a value, reads it back, and tries one that there is not.
#define CHECK(set, get, object, good, bad)                                                                             \
  do {                                                                                                                 \
    int value_read;                                                                                                    \
    assert(set(object, good) == 0 && get(object, &value_read) == 0 && value_read == (good));                           \
    assert(set(object, bad) == EINVAL && get(object, &value_read) == 0 && value_read == (good));                       \
  } while (0)

static void check_mutex_attributes(void) {
  pthread_mutexattr_t attributes;
  assert(pthread_mutexattr_init(&attributes) == 0);
  CHECK(pthread_mutexattr_setpshared, pthread_mutexattr_getpshared, &attributes, PTHREAD_PROCESS_SHARED, 12345);
  CHECK(pthread_mutexattr_setrobust, pthread_mutexattr_getrobust, &attributes, PTHREAD_MUTEX_ROBUST, 12345);
  CHECK(pthread_mutexattr_setprotocol, pthread_mutexattr_getprotocol, &attributes, PTHREAD_PRIO_PROTECT, 12345);
  CHECK(pthread_mutexattr_setprioceiling, pthread_mutexattr_getprioceiling, &attributes, 3, 12345);
  pthread_mutex_t mutex;
  int ceiling = 0;
  assert(pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_STALLED) == 0);
  assert(pthread_mutex_init(&mutex, &attributes) == 0);
  assert(pthread_mutex_getprioceiling(&mutex, &ceiling) == 0 && ceiling == 3);
  assert(pthread_mutex_destroy(&mutex) == 0);
  assert(pthread_mutex_init(&mutex, NULL) == 0);
  assert(pthread_mutex_getprioceiling(&mutex, &ceiling) == EINVAL);
  assert(pthread_mutex_destroy(&mutex) == 0);
  assert(pthread_mutexattr_destroy(&attributes) == 0);
}

static void check_other_attributes(void) {
  pthread_condattr_t condition;
  assert(pthread_condattr_init(&condition) == 0);
  CHECK(pthread_condattr_setpshared, pthread_condattr_getpshared, &condition, PTHREAD_PROCESS_SHARED, 12345);
  assert(pthread_condattr_destroy(&condition) == 0);
  pthread_rwlockattr_t rwlock;
  assert(pthread_rwlockattr_init(&rwlock) == 0);
  CHECK(pthread_rwlockattr_setpshared, pthread_rwlockattr_getpshared, &rwlock, PTHREAD_PROCESS_SHARED, 12345);
  CHECK(pthread_rwlockattr_setkind_np, pthread_rwlockattr_getkind_np, &rwlock,
        PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP, 12345);
  assert(pthread_rwlockattr_destroy(&rwlock) == 0);
  pthread_barrierattr_t barrier;
  assert(pthread_barrierattr_init(&barrier) == 0);
  CHECK(pthread_barrierattr_setpshared, pthread_barrierattr_getpshared, &barrier, PTHREAD_PROCESS_SHARED, 12345);
  assert(pthread_barrierattr_destroy(&barrier) == 0);
}

static void check_thread_attributes(void) {
  pthread_attr_t attributes;
  assert(pthread_attr_init(&attributes) == 0);
  CHECK(pthread_attr_setinheritsched, pthread_attr_getinheritsched, &attributes, PTHREAD_EXPLICIT_SCHED, 12345);
  CHECK(pthread_attr_setschedpolicy, pthread_attr_getschedpolicy, &attributes, SCHED_OTHER, 12345);
  int scope = -1;
  assert(pthread_attr_setscope(&attributes, PTHREAD_SCOPE_SYSTEM) == 0);
  assert(pthread_attr_getscope(&attributes, &scope) == 0 && scope == PTHREAD_SCOPE_SYSTEM);
  assert(pthread_attr_setscope(&attributes, PTHREAD_SCOPE_PROCESS) == ENOTSUP);
  assert(pthread_attr_setscope(&attributes, 12345) == EINVAL);
  struct sched_param parameters = {0};
  assert(pthread_attr_setschedparam(&attributes, &parameters) == 0);
  assert(pthread_attr_getschedparam(&attributes, &parameters) == 0 && parameters.sched_priority == 0);
  parameters.sched_priority = 12345;
  assert(pthread_attr_setschedparam(&attributes, &parameters) == EINVAL);
  size_t size = 0;
  assert(pthread_attr_setguardsize(&attributes, 8192) == 0);
  assert(pthread_attr_getguardsize(&attributes, &size) == 0 && size == 8192);
  void *stack = aligned_alloc(4096, 1 << 20), *stack_read = NULL;
  assert(pthread_attr_setstack(&attributes, stack, 1) == EINVAL);
  assert(pthread_attr_setstack(&attributes, stack, 1 << 20) == 0);
  assert(pthread_attr_getstack(&attributes, &stack_read, &size) == 0 && stack_read == stack && size == 1 << 20);
  cpu_set_t set, set_read;
  CPU_ZERO(&set);
  CPU_SET(0, &set);
  assert(pthread_attr_setaffinity_np(&attributes, sizeof set, &set) == 0);
  assert(pthread_attr_getaffinity_np(&attributes, sizeof set_read, &set_read) == 0 && CPU_EQUAL(&set, &set_read));
  assert(pthread_attr_destroy(&attributes) == 0);
  free(stack);
}

static void check_process(void) {
  assert(pthread_setconcurrency(2) == 0 && pthread_getconcurrency() == 2);
  assert(pthread_setconcurrency(-1) == EINVAL);
  assert(sched_get_priority_min(SCHED_FIFO) == 1 && sched_get_priority_max(SCHED_FIFO) == 99);
  assert(sched_get_priority_min(12345) == -1 && errno == EINVAL);
  assert(sched_get_priority_max(12345) == -1 && errno == EINVAL);
}

int main(void) {
  check_mutex_attributes();
  check_other_attributes();
  check_thread_attributes();
  check_process();
  return 0;
}
