/* SPDX-License-Identifier: MIT
 *
 * POSIX semaphores; model_named_semaphore.c makes those with a name.
 */
#include "models.h"
#include "snapshot.h"

#include <errno.h>
#include <limits.h>
#include <semaphore.h>

static int fail(int number) {
  errno = number;
  return -1;
}

WRAPPED(int, sem_init, (sem_t * semaphore, int shared, unsigned value), (semaphore, shared, value)) {
  object_before_initialise(semaphore, SEMAPHORE_OBJECT, take_site());
  snapshot_make_writable(semaphore, sizeof *semaphore);
  const int result = __real_sem_init(semaphore, shared, value);
  if (result != 0) return result;
  struct object *object = object_reset(semaphore, SEMAPHORE_OBJECT);
  object->count = object->needed = value;
  return 0;
}

WRAPPED(int, sem_destroy, (sem_t * semaphore), (semaphore)) {
  object_destroy(object_at(semaphore, SEMAPHORE_OBJECT), take_site());
  return 0;
}

/* The first takers have the tokens that were there at first, however many posts come before them. */
void semaphore_take(uint8_t kind, struct object *semaphore, site_id site) {
  semaphore->count--;
  semaphore->version++;
  races_acquire(semaphore);
  struct event *event = record_object(kind, semaphore, site, semaphore->count);
  if (semaphore->needed == 0) return;
  semaphore->needed--;
  event->flags |= EVENT_NEEDS_NO_POST;
}

void semaphore_give(struct object *semaphore, site_id site) {
  semaphore->count++;
  semaphore->version++;
  races_release(semaphore);
  record_object(EVENT_SEMAPHORE_POST, semaphore, site, semaphore->count);
}

static int wait_until(sem_t *address, const struct deadline *deadline) {
  const site_id site = take_site();
  struct object *semaphore = object_at(address, SEMAPHORE_OBJECT);
  if (deadline && !deadline_is_valid(deadline)) return fail(EINVAL);
  schedule_cancellable_until(EVENT_SEMAPHORE_WAIT, semaphore, site, deadline);
  if (self()->was_interrupted) return fail(EINTR);
  if (semaphore->count == 0) {
    record_object(EVENT_SEMAPHORE_TIMED_OUT, semaphore, site, 0);
    return fail(deadline_passed(deadline));
  }
  semaphore_take(EVENT_SEMAPHORE_WAIT, semaphore, site);
  return deadline_kept(deadline, 0);
}

WRAPPED(int, sem_wait, (sem_t * address), (address)) {
  return wait_until(address, NULL);
}

WRAPPED(int, sem_timedwait, (sem_t * address, const struct timespec *time), (address, time)) {
  return wait_until(address, &(struct deadline){CLOCK_REALTIME, *time});
}

WRAPPED(int, sem_clockwait, (sem_t * address, clockid_t clock, const struct timespec *time), (address, clock, time)) {
  if (!deadline_has_clock(clock)) return fail(EINVAL);
  return wait_until(address, &(struct deadline){clock, *time});
}

WRAPPED(int, sem_trywait, (sem_t * address), (address)) {
  char *frame = SPIN_FRAME();
  const site_id site = take_site();
  struct object *semaphore = object_at(address, SEMAPHORE_OBJECT);
  schedule_attempt(EVENT_SEMAPHORE_TRYWAIT_DONE, semaphore, site, frame);
  if (semaphore->count == 0) {
    record_object(EVENT_SEMAPHORE_TRYWAIT_FAILED, semaphore, site, 0);
    return fail(EAGAIN);
  }
  spin_end(self());
  semaphore_take(EVENT_SEMAPHORE_TRYWAIT_DONE, semaphore, site);
  return 0;
}

WRAPPED(int, sem_post, (sem_t * address), (address)) {
  const site_id site = take_site();
  struct object *semaphore = object_at(address, SEMAPHORE_OBJECT);
  schedule_object(EVENT_SEMAPHORE_POST, semaphore, site, false);
  if (semaphore->count == SEM_VALUE_MAX) {
    record_object(EVENT_SEMAPHORE_POST, semaphore, site, semaphore->count);
    return fail(EOVERFLOW);
  }
  semaphore_give(semaphore, site);
  return 0;
}

WRAPPED(int, sem_getvalue, (sem_t * address, int *value), (address, value)) {
  char *frame = SPIN_FRAME();
  const site_id site = take_site();
  struct object *semaphore = object_at(address, SEMAPHORE_OBJECT);
  schedule_attempt(EVENT_SEMAPHORE_GETVALUE, semaphore, site, frame);
  record_object(EVENT_SEMAPHORE_GETVALUE, semaphore, site, semaphore->count);
  const int count = (int)semaphore->count;
  model_store(value, &count, sizeof count, site);
  return 0;
}
