/* SPDX-License-Identifier: MIT
 *
 * Condition variables. A wait is two operations: it releases the mutex and starts to wait; it wakes up and takes the
 * mutex again, which it can once it was signalled and the mutex is free. Which of several waiters a signal wakes is a
 * choice.
 *
 * A thread that was not signalled may also stop waiting because its time is over, or with --spurious for no reason:
 * that is an operation of its own, before the one that takes the mutex, so that a signal in between finds it gone. It
 * wakes up for no reason at most once until it is signalled, or loops around a wait would never end.
 */
#include "choose.h"
#include "ends.h"
#include "models.h"
#include "snapshot.h"

#include <errno.h>
#include <pthread.h>

#define MONOTONIC_FLAG 2 /* of glibc, in __wrefs */

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
  object_before_initialise(condition, CONDITION_OBJECT, take_site());
  snapshot_make_writable(condition, sizeof *condition);
  const int result = __real_pthread_cond_init(condition, attributes);
  if (result == 0) object_reset(condition, CONDITION_OBJECT);
  return result;
}

WRAPPED(int, pthread_cond_destroy, (pthread_cond_t * condition), (condition)) {
  object_destroy(object_at(condition, CONDITION_OBJECT), take_site());
  return 0;
}

/* ---- waiting ---- */

static bool may_wake_for_nothing(const struct thread *thread) {
  return rt->channel->options & RUN_SPURIOUS_WAKES && !thread->woke_for_nothing;
}

static void await_wake(struct object *condition, site_id site, bool can_give_up) {
  spin_end(self());
  schedule_operation((struct operation){.kind = EVENT_CONDITION_WAKE,
                                        .address = condition->address,
                                        .object = condition,
                                        .site = site,
                                        .can_block = true,
                                        .can_give_up = can_give_up});
}

/* It was chosen without having been signalled: its time is over, or it wakes for nothing. */
static int give_up(struct object *condition, site_id site, const struct deadline *deadline) {
  struct thread *thread = self();
  const uint16_t ways = deadline && may_wake_for_nothing(thread) ? 2 : 1;
  const uint16_t way = choose_alternative(ways);
  const bool times_out = deadline && way == 0;
  struct event *event =
      record_object(times_out ? EVENT_CONDITION_TIMED_OUT : EVENT_CONDITION_SPURIOUS, condition, site, 0);
  event->alternative = way;
  event->alternatives = ways;
  thread->signalled = true;
  thread->woke_for_nothing |= !times_out;
  const int result = times_out ? deadline_passed(deadline) : 0;
  await_wake(condition, site, false);
  return result;
}

/* Returns when the thread can take the mutex. */
static int sleep_on(struct object *condition, const struct object *mutex, site_id site,
                    const struct deadline *deadline) {
  struct thread *thread = self();
  thread->signalled = false;
  await_wake(condition, site, deadline || may_wake_for_nothing(thread));
  if (!thread->signalled) {
    if (cancel_is_due(thread) && mutex_is_available(mutex)) return 0;
    return give_up(condition, site, deadline);
  }
  thread->woke_for_nothing = false;
  return deadline_kept(deadline, 0);
}

/* POSIX: all that wait at the same time have to use the same mutex. */
static void check_mutex(const struct object *condition, const struct object *mutex, site_id site) {
  for (uint32_t i = 0; i <= rt->highest_thread; i++)
    if (waits_for(&rt->threads[i], condition) && rt->threads[i].relock != mutex)
      finish_run_with_message(OUTCOME_LOCK_MISUSE, site, condition->address,
                              "wait on a condition variable with a different mutex than a thread that already waits");
}

static int wait_until(pthread_cond_t *address, pthread_mutex_t *mutex_address, const struct deadline *deadline) {
  const site_id site = take_site();
  struct object *condition = object_at(address, CONDITION_OBJECT);
  struct object *mutex = object_at(mutex_address, MUTEX_OBJECT);
  struct thread *thread = self();
  if (deadline && !deadline_is_valid(deadline)) return EINVAL;
  thread->relock = mutex;
  schedule_object(EVENT_CONDITION_WAIT, condition, site, false);
  if (cancel_is_due(thread)) cancel_act(site);
  const bool could_give_up = thread->could_give_up = deadline || may_wake_for_nothing(thread);
  struct event *waits = record_object(EVENT_CONDITION_WAIT, condition, site, mutex->address);
  if (could_give_up) waits->flags |= EVENT_GIVES_UP;
  if (mutex->owner != thread->id) {
    if (mutex->type != MUTEX_NORMAL || mutex->robustness != NOT_ROBUST) return EPERM;
    finish_run_with_message(OUTCOME_LOCK_MISUSE, site, mutex->address,
                            "wait on a condition variable with a mutex that the thread does not hold");
  }
  check_mutex(condition, mutex, site);
  const uint32_t depth = mutex->count;
  mutex_release(mutex);
  const int result = sleep_on(condition, mutex, site, deadline);
  lockorder_waits_for(mutex, site, false);
  const int relocked = mutex_take(mutex, site);
  if (relocked != ENOTRECOVERABLE) mutex->count = depth;
  if (cancel_is_due(thread) && !thread->signalled) cancel_act(site);
  struct event *event = record_object(EVENT_CONDITION_WAKE, condition, site, mutex->address);
  if (could_give_up) event->flags |= EVENT_GIVES_UP;
  if (cancel_is_due(thread)) event->flags |= EVENT_PARKED; /* it could have moved before the signal */
  return relocked ? relocked : result;
}

WRAPPED(int, pthread_cond_wait, (pthread_cond_t * condition, pthread_mutex_t *mutex), (condition, mutex)) {
  return wait_until(condition, mutex, NULL);
}

WRAPPED(int, pthread_cond_timedwait, (pthread_cond_t * condition, pthread_mutex_t *mutex, const struct timespec *time),
        (condition, mutex, time)) {
  const bool monotonic = condition->__data.__wrefs & MONOTONIC_FLAG;
  return wait_until(condition, mutex, &(struct deadline){monotonic ? CLOCK_MONOTONIC : CLOCK_REALTIME, *time});
}

WRAPPED(int, pthread_cond_clockwait,
        (pthread_cond_t * condition, pthread_mutex_t *mutex, clockid_t clock, const struct timespec *time),
        (condition, mutex, clock, time)) {
  if (!deadline_has_clock(clock)) return EINVAL;
  return wait_until(condition, mutex, &(struct deadline){clock, *time});
}

/* ---- waking ---- */

/* What a woken thread waits for from now on is the mutex alone. */
static void wake(struct object *condition, uint16_t which) {
  for (uint32_t i = 0; i <= rt->highest_thread; i++) {
    if (!waits_for(&rt->threads[i], condition)) continue;
    if (which-- == 0) {
      rt->threads[i].signalled = true;
      races_hand_over(&rt->threads[i]);
      rt->threads[i].operation.can_give_up = false;
      return;
    }
  }
}

WRAPPED(int, pthread_cond_signal, (pthread_cond_t * address), (address)) {
  const site_id site = take_site();
  struct object *condition = object_at(address, CONDITION_OBJECT);
  schedule_object(EVENT_CONDITION_SIGNAL, condition, site, false);
  const uint16_t waiters = count_waiters(condition);
  const uint16_t chosen = choose_alternative(waiters ? waiters : 1);
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
