// SPDX-License-Identifier: MIT
// Names, stack bounds, scheduling parameters and processors of threads: kept, and given back.
// expect: exit=0 verdict=clean
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>

static void check_stack(int detach_state) {
  pthread_attr_t attributes;
  void *bottom = NULL;
  size_t size = 0;
  int state = -1;
  char local;
  assert(pthread_getattr_np(pthread_self(), &attributes) == 0);
  assert(pthread_attr_getstack(&attributes, &bottom, &size) == 0);
  assert(&local > (char *)bottom && &local < (char *)bottom + size && size >= 65536);
  assert(pthread_attr_getdetachstate(&attributes, &state) == 0 && state == detach_state);
  assert(pthread_attr_destroy(&attributes) == 0);
}

static void *thread(void *detach_state) {
  char name[16];
  assert(pthread_getname_np(pthread_self(), name, sizeof name) == 0 && strcmp(name, "creator") == 0);
  assert(pthread_setname_np(pthread_self(), "worker") == 0);
  check_stack(*(int *)detach_state);
  return NULL;
}

static void scheduling(void) {
  struct sched_param parameter = {.sched_priority = 3};
  int policy = -1;
  cpu_set_t set;
  assert(pthread_setschedparam(pthread_self(), SCHED_OTHER, &parameter) == EINVAL);
  assert(pthread_setschedparam(pthread_self(), 77, &parameter) == EINVAL);
  assert(pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameter) == 0);
  parameter.sched_priority = 0;
  assert(pthread_getschedparam(pthread_self(), &policy, &parameter) == 0);
  assert(policy == SCHED_FIFO && parameter.sched_priority == 3);
  assert(pthread_setschedprio(pthread_self(), 100) == EINVAL && pthread_setschedprio(pthread_self(), 4) == 0);
  assert(pthread_getschedparam(pthread_self(), &policy, &parameter) == 0 && parameter.sched_priority == 4);
  assert(pthread_getaffinity_np(pthread_self(), sizeof set, &set) == 0 && CPU_COUNT(&set) > 0);
  assert(pthread_setaffinity_np(pthread_self(), sizeof set, &set) == 0);
  assert(pthread_setconcurrency(2) == 0 && pthread_getconcurrency() == 2 && sched_yield() == 0);
}

static void unknown_thread(pthread_t none) {
  pthread_attr_t attributes;
  struct sched_param parameter = {0};
  char name[16];
  int policy;
  cpu_set_t set;
  assert(pthread_setname_np(none, "x") == ESRCH && pthread_getname_np(none, name, sizeof name) == ESRCH);
  assert(pthread_getattr_np(none, &attributes) == ESRCH && pthread_setschedprio(none, 0) == ESRCH);
  assert(pthread_setschedparam(none, SCHED_OTHER, &parameter) == ESRCH);
  assert(pthread_getschedparam(none, &policy, &parameter) == ESRCH);
  assert(pthread_setaffinity_np(none, sizeof set, &set) == ESRCH);
  assert(pthread_getaffinity_np(none, sizeof set, &set) == ESRCH);
}

int main(void) {
  char name[16];
  pthread_t t;
  int joinable = PTHREAD_CREATE_JOINABLE;
  assert(pthread_setname_np(pthread_self(), "a name of 16 char") == ERANGE);
  assert(pthread_setname_np(pthread_self(), "creator") == 0);
  assert(pthread_getname_np(pthread_self(), name, 8) == ERANGE);
  check_stack(joinable);
  pthread_create(&t, NULL, thread, &joinable);
  pthread_join(t, NULL);
  assert(pthread_getname_np(pthread_self(), name, sizeof name) == 0 && strcmp(name, "creator") == 0);
  scheduling();
  unknown_thread((pthread_t)&t);
  return 0;
}
