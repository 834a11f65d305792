/* SPDX-License-Identifier: MIT
 *
 * What a program may ask and say about a thread that changes nothing here: its name, its place in a real scheduler. It
 * is kept and given back. The real functions would change the one kernel thread that all threads run on.
 */
#include "models.h"
#include "process.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <sys/prctl.h>

#define HIGHEST_PRIORITY 99

/* A thread is created with its creator's name; main has the executable's. */
void attributes_begin_thread(struct thread *thread) {
  thread->policy = SCHED_OTHER;
  thread->scheduling_priority = 0;
  memcpy(thread->name, thread->id == 0 ? rt->program_name : self()->name, sizeof thread->name);
}

void attributes_initialise(void) {
  system_call(SYS_prctl, PR_GET_NAME, rt->program_name);
}

WRAPPED(int, pthread_setname_np, (pthread_t handle, const char *name), (handle, name)) {
  struct thread *thread = thread_asked_for(handle);
  if (!thread) return ESRCH;
  model_reads_string(name, call_site());
  const size_t length = string_length(name);
  if (length >= sizeof thread->name) return ERANGE;
  memcpy(thread->name, name, length + 1);
  return 0;
}

WRAPPED(int, pthread_getname_np, (pthread_t handle, char *name, size_t room), (handle, name, room)) {
  const struct thread *thread = thread_asked_for(handle);
  if (!thread) return ESRCH;
  if (room < sizeof thread->name) return ERANGE;
  model_store(name, thread->name, string_length(thread->name) + 1, call_site());
  return 0;
}

WRAPPED(int, pthread_getattr_np, (pthread_t handle, pthread_attr_t *attributes), (handle, attributes)) {
  const struct thread *thread = thread_asked_for(handle);
  if (!thread) return ESRCH;
  pthread_attr_t made;
  int result = pthread_attr_init(&made);
  if (result) return result;
  pthread_attr_setdetachstate(&made, thread->detached ? PTHREAD_CREATE_DETACHED : PTHREAD_CREATE_JOINABLE);
  result = pthread_attr_setstack(&made, (void *)thread->stack_bottom, thread->stack_top - thread->stack_bottom);
  if (!result) model_store(attributes, &made, sizeof made, call_site());
  return result;
}

static bool is_priority_of(int policy, int priority) {
  if (policy == SCHED_FIFO || policy == SCHED_RR) return priority >= 1 && priority <= HIGHEST_PRIORITY;
  return (policy == SCHED_OTHER || policy == SCHED_BATCH || policy == SCHED_IDLE) && priority == 0;
}

WRAPPED(int, pthread_setschedparam, (pthread_t handle, int policy, const struct sched_param *parameters),
        (handle, policy, parameters)) {
  struct thread *thread = thread_asked_for(handle);
  if (!thread) return ESRCH;
  model_reads(parameters, sizeof *parameters, call_site());
  if (!is_priority_of(policy, parameters->sched_priority)) return EINVAL;
  thread->policy = policy;
  thread->scheduling_priority = parameters->sched_priority;
  return 0;
}

WRAPPED(int, pthread_getschedparam, (pthread_t handle, int *policy, struct sched_param *parameters),
        (handle, policy, parameters)) {
  const struct thread *thread = thread_asked_for(handle);
  if (!thread) return ESRCH;
  const site_id site = call_site();
  model_store(policy, &thread->policy, sizeof *policy, site);
  model_store(&parameters->sched_priority, &thread->scheduling_priority, sizeof(int), site);
  return 0;
}

WRAPPED(int, pthread_setschedprio, (pthread_t handle, int priority), (handle, priority)) {
  struct thread *thread = thread_asked_for(handle);
  if (!thread) return ESRCH;
  if (!is_priority_of(thread->policy, priority)) return EINVAL;
  thread->scheduling_priority = priority;
  return 0;
}

WRAPPED(int, pthread_setaffinity_np, (pthread_t handle, size_t bytes, const cpu_set_t *set), (handle, bytes, set)) {
  return thread_asked_for(handle) ? 0 : ESRCH;
}

/* The kernel fills in as much as it has processors for. */
WRAPPED(int, pthread_getaffinity_np, (pthread_t handle, size_t bytes, cpu_set_t *set), (handle, bytes, set)) {
  if (!thread_asked_for(handle)) return ESRCH;
  cpu_set_t processors = {0};
  const uint64_t known = bytes < sizeof processors ? bytes : sizeof processors;
  const long result = system_call(SYS_sched_getaffinity, 0, known, &processors);
  if (result < 0) return (int)-result;
  model_store(set, &processors, known, call_site());
  return 0;
}
