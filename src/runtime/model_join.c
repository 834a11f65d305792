/* SPDX-License-Identifier: MIT
 *
 * Joining without waiting, or not forever: GNU's pthread_tryjoin_np and its timed relatives. Whether the thread has
 * ended depends on the schedule, so asking is a visible operation, unlike joining, which only blocks.
 */
#include "models.h"

#include <errno.h>
#include <pthread.h>

int __wrap_pthread_join(pthread_t handle, void **result);

/* What pthread_join would refuse. */
static int check(const struct thread *target) {
  if (!target || target->joined) return ESRCH;
  if (target == self()) return EDEADLK;
  return target->detached ? EINVAL : 0;
}

WRAPPED(int, pthread_tryjoin_np, (pthread_t handle, void **result), (handle, result)) {
  char *frame = SPIN_FRAME();
  const site_id site = take_site();
  struct thread *target = thread_asked_for(handle);
  const int error = check(target);
  if (error) return error;
  schedule_attempt(EVENT_THREAD_TRYJOIN, &target->cancellation, site, frame);
  const bool ended = target->state == ENDED;
  if (ended) spin_end(self());
  record_object(EVENT_THREAD_TRYJOIN, &target->cancellation, site, ended ? 0 : EBUSY);
  return ended ? __wrap_pthread_join(handle, result) : EBUSY;
}

static int join_until(pthread_t handle, void **result, const struct deadline *deadline) {
  const site_id site = take_site();
  struct thread *target = thread_asked_for(handle);
  const int error = check(target);
  if (error) return error;
  if (deadline && !deadline_is_valid(deadline)) return EINVAL;
  if (!deadline) return __wrap_pthread_join(handle, result);
  do schedule_cancellable_until(EVENT_THREAD_TRYJOIN, &target->cancellation, site, deadline);
  while (self()->was_interrupted);
  const bool ended = target->state == ENDED;
  record_object(EVENT_THREAD_TRYJOIN, &target->cancellation, site, ended ? 0 : ETIMEDOUT);
  return ended ? deadline_kept(deadline, __wrap_pthread_join(handle, result)) : deadline_passed(deadline);
}

WRAPPED(int, pthread_timedjoin_np, (pthread_t handle, void **result, const struct timespec *time),
        (handle, result, time)) {
  return join_until(handle, result, time ? &(struct deadline){CLOCK_REALTIME, *time} : NULL);
}

WRAPPED(int, pthread_clockjoin_np, (pthread_t handle, void **result, clockid_t clock, const struct timespec *time),
        (handle, result, clock, time)) {
  if (!deadline_has_clock(clock)) return EINVAL;
  return join_until(handle, result, time ? &(struct deadline){clock, *time} : NULL);
}
