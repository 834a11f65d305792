/* SPDX-License-Identifier: MIT
 *
 * Condition variables. A wait is two operations: it releases the mutex and starts to wait; it wakes up and takes the
 * mutex again, which it can once it was signalled and the mutex is free. Which of several waiters a signal wakes is a
 * choice.
 */
#include "models.h"

#include <errno.h>
#include <pthread.h>

static bool waits_for(const struct thread *thread, const struct object *condition) {
  return thread->state == AT_OPERATION && thread->operation.kind == EVENT_CONDITION_WAKE &&
         thread->operation.object == condition && !thread->signalled;
}

static uint16_t count_waiters(const struct object *condition) {
  uint16_t count = 0;
  for (uint32_t i = 0; i <= rt->highest_thread; i++) count += waits_for(&rt->threads[i], condition);
  return count;
}

WRAPPED(int, pthread_cond_init, (pthread_cond_t * condition, const pthread_condattr_t *attributes),
        (condition, attributes)) {
  snapshot_make_writable(condition, sizeof *condition);
  const int result = __real_pthread_cond_init(condition, attributes);
  if (result == 0) object_reset(condition, CONDITION_OBJECT);
  return result;
}

WRAPPED(int, pthread_cond_destroy, (pthread_cond_t * condition), (condition)) {
  return count_waiters(object_at(condition, CONDITION_OBJECT)) ? EBUSY : 0;
}

WRAPPED(int, pthread_cond_wait, (pthread_cond_t * address, pthread_mutex_t *mutex_address), (address, mutex_address)) {
  const site_id site = take_site();
  struct object *condition = object_at(address, CONDITION_OBJECT);
  struct object *mutex = object_at(mutex_address, MUTEX_OBJECT);
  struct thread *thread = self();
  schedule_object(EVENT_CONDITION_WAIT, condition, site, false);
  if (cancel_is_due(thread)) cancel_act(site);
  record_object(EVENT_CONDITION_WAIT, condition, site, mutex->address);
  if (mutex->owner != thread->id) {
    if (mutex->type != MUTEX_NORMAL) return EPERM;
    finish_run_with_message(OUTCOME_LOCK_MISUSE, site, mutex->address,
                            "wait on a condition variable with a mutex that the thread does not hold");
  }
  const uint32_t depth = mutex->count;
  mutex_release(mutex);
  thread->signalled = false;
  thread->relock = mutex;
  schedule_object(EVENT_CONDITION_WAKE, condition, site, true);
  mutex_acquire(mutex, site);
  mutex->count = depth;
  if (cancel_is_due(thread) && !thread->signalled) cancel_act(site);
  record_object(EVENT_CONDITION_WAKE, condition, site, mutex->address);
  return 0;
}

static void wake(struct object *condition, uint16_t which) {
  for (uint32_t i = 0; i <= rt->highest_thread; i++) {
    if (!waits_for(&rt->threads[i], condition)) continue;
    if (which-- == 0) {
      rt->threads[i].signalled = true;
      return;
    }
  }
}

WRAPPED(int, pthread_cond_signal, (pthread_cond_t * address), (address)) {
  const site_id site = take_site();
  struct object *condition = object_at(address, CONDITION_OBJECT);
  schedule_object(EVENT_CONDITION_SIGNAL, condition, site, false);
  const uint16_t waiters = count_waiters(condition);
  const uint16_t chosen = schedule_alternative(waiters ? waiters : 1);
  struct event *event = record_object(EVENT_CONDITION_SIGNAL, condition, site, waiters);
  event->alternative = chosen;
  event->alternatives = waiters ? waiters : 1;
  wake(condition, chosen);
  return 0;
}

WRAPPED(int, pthread_cond_broadcast, (pthread_cond_t * address), (address)) {
  const site_id site = take_site();
  struct object *condition = object_at(address, CONDITION_OBJECT);
  schedule_object(EVENT_CONDITION_BROADCAST, condition, site, false);
  record_object(EVENT_CONDITION_BROADCAST, condition, site, count_waiters(condition));
  while (count_waiters(condition)) wake(condition, 0);
  return 0;
}
