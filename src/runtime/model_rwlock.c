/* SPDX-License-Identifier: MIT
 *
 * Read-write locks, as glibc makes them: readers are preferred, so that a reader gets in while a writer waits, and read
 * locks may be nested. With the attribute PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP a writer that waits keeps new
 * readers out; that it has begun to wait is then an operation of its own.
 *
 * The object's owner is the writer; its count is that of read locks, and every thread knows the ones it has.
 */
#include "ends.h"
#include "models.h"
#include "snapshot.h"

#include <errno.h>
#include <pthread.h>

WRAPPED(int, pthread_rwlock_init, (pthread_rwlock_t * lock, const pthread_rwlockattr_t *attributes),
        (lock, attributes)) {
  object_before_initialise(lock, RWLOCK_OBJECT, take_site());
  snapshot_make_writable(lock, sizeof *lock);
  const int result = __real_pthread_rwlock_init(lock, attributes);
  if (result == 0) object_reset(lock, RWLOCK_OBJECT);
  return result;
}

WRAPPED(int, pthread_rwlock_destroy, (pthread_rwlock_t * address), (address)) {
  object_destroy(object_at(address, RWLOCK_OBJECT), take_site());
  return 0;
}

/* ---- read locks of a thread ---- */

static struct read_hold *find_hold(const struct object *lock) {
  struct thread *thread = self();
  for (uint32_t i = 0; i < thread->n_read_holds; i++)
    if (thread->read_holds[i].lock == lock) return &thread->read_holds[i];
  return NULL;
}

static bool has_room(const struct object *lock) {
  if (!find_hold(lock) && self()->n_read_holds == MAX_READ_HOLDS)
    finish_at_limit("more than 32 rwlocks that one thread holds for reading");
  return lock->count < UINT32_MAX;
}

static int start_reading(struct object *lock, site_id site) {
  if (!has_room(lock)) return EAGAIN;
  struct read_hold *hold = find_hold(lock);
  if (!hold) {
    hold = &self()->read_holds[self()->n_read_holds++];
    *hold = (struct read_hold){.lock = lock, .site = site};
    lockorder_taken(lock, true);
  }
  races_acquire(lock);
  hold->count++;
  lock->count++;
  lock->version++;
  return 0;
}

static void stop_reading(struct object *lock, struct read_hold *hold) {
  races_release_as_reader(lock);
  lock->count--;
  lock->version++;
  if (--hold->count > 0) return;
  *hold = self()->read_holds[--self()->n_read_holds];
  lockorder_released(lock);
}

static void start_writing(struct object *lock, site_id site) {
  lock->owner = self()->id;
  lock->owner_site = site;
  lock->version++;
  races_acquire_after_readers(lock);
  lockorder_taken(lock, false);
}

static void stop_writing(struct object *lock) {
  races_release(lock);
  lockorder_released(lock);
  lock->owner = NO_THREAD;
  lock->version++;
}

/* ---- locking ---- */

static int read_until(pthread_rwlock_t *address, const struct deadline *deadline) {
  const site_id site = take_site();
  struct object *lock = object_at(address, RWLOCK_OBJECT);
  if (deadline && !deadline_is_valid(deadline)) return EINVAL;
  schedule_until(EVENT_RWLOCK_READ, lock, site, deadline);
  const bool mine = lock->owner == self()->id;
  if (!mine && !rwlock_can_read(lock)) {
    record_object(EVENT_RWLOCK_READ_TIMED_OUT, lock, site, ETIMEDOUT);
    return deadline_passed(deadline);
  }
  if (!mine && !deadline) lockorder_waits_for(lock, site, true);
  const int result = mine ? EDEADLK : start_reading(lock, site);
  record_object(EVENT_RWLOCK_READ, lock, site, (uint64_t)result);
  return deadline_kept(deadline, result);
}

/* True if it got it at once. */
static bool write_now_or_queue(struct object *lock, site_id site) {
  schedule_object(EVENT_RWLOCK_WRITE_QUEUE, lock, site, false);
  const bool now = rwlock_can_write(lock);
  if (now) lockorder_waits_for(lock, site, false), start_writing(lock, site);
  record_object(now ? EVENT_RWLOCK_WRITE : EVENT_RWLOCK_WRITE_QUEUE, lock, site, 0);
  return now;
}

static int write_until(pthread_rwlock_t *address, const struct deadline *deadline) {
  const site_id site = take_site();
  struct object *lock = object_at(address, RWLOCK_OBJECT);
  if (deadline && !deadline_is_valid(deadline)) return EINVAL;
  if (lock->type && write_now_or_queue(lock, site)) return deadline_kept(deadline, 0);
  schedule_until(EVENT_RWLOCK_WRITE, lock, site, deadline);
  const bool mine = lock->owner == self()->id;
  if (!mine && !rwlock_can_write(lock)) {
    record_object(EVENT_RWLOCK_WRITE_TIMED_OUT, lock, site, ETIMEDOUT);
    return deadline_passed(deadline);
  }
  if (!mine && !deadline) lockorder_waits_for(lock, site, false);
  if (!mine) start_writing(lock, site);
  record_object(EVENT_RWLOCK_WRITE, lock, site, mine ? EDEADLK : 0);
  return deadline_kept(deadline, mine ? EDEADLK : 0);
}

WRAPPED(int, pthread_rwlock_rdlock, (pthread_rwlock_t * address), (address)) {
  return read_until(address, NULL);
}

WRAPPED(int, pthread_rwlock_wrlock, (pthread_rwlock_t * address), (address)) {
  return write_until(address, NULL);
}

WRAPPED(int, pthread_rwlock_timedrdlock, (pthread_rwlock_t * address, const struct timespec *time), (address, time)) {
  return read_until(address, &(struct deadline){CLOCK_REALTIME, *time});
}

WRAPPED(int, pthread_rwlock_timedwrlock, (pthread_rwlock_t * address, const struct timespec *time), (address, time)) {
  return write_until(address, &(struct deadline){CLOCK_REALTIME, *time});
}

WRAPPED(int, pthread_rwlock_clockrdlock, (pthread_rwlock_t * address, clockid_t clock, const struct timespec *time),
        (address, clock, time)) {
  if (!deadline_has_clock(clock)) return EINVAL;
  return read_until(address, &(struct deadline){clock, *time});
}

WRAPPED(int, pthread_rwlock_clockwrlock, (pthread_rwlock_t * address, clockid_t clock, const struct timespec *time),
        (address, clock, time)) {
  if (!deadline_has_clock(clock)) return EINVAL;
  return write_until(address, &(struct deadline){clock, *time});
}

WRAPPED(int, pthread_rwlock_tryrdlock, (pthread_rwlock_t * address), (address)) {
  char *frame = SPIN_FRAME();
  const site_id site = take_site();
  struct object *lock = object_at(address, RWLOCK_OBJECT);
  schedule_attempt(EVENT_RWLOCK_TRYREAD_DONE, lock, site, frame);
  if (!rwlock_can_read(lock)) {
    record_object(EVENT_RWLOCK_TRYREAD_FAILED, lock, site, EBUSY);
    return EBUSY;
  }
  spin_changes(self());
  const int result = start_reading(lock, site);
  record_object(EVENT_RWLOCK_TRYREAD_DONE, lock, site, (uint64_t)result);
  return result;
}

WRAPPED(int, pthread_rwlock_trywrlock, (pthread_rwlock_t * address), (address)) {
  char *frame = SPIN_FRAME();
  const site_id site = take_site();
  struct object *lock = object_at(address, RWLOCK_OBJECT);
  schedule_attempt(EVENT_RWLOCK_TRYWRITE_DONE, lock, site, frame);
  if (!rwlock_can_write(lock)) {
    record_object(EVENT_RWLOCK_TRYWRITE_FAILED, lock, site, EBUSY);
    return EBUSY;
  }
  spin_changes(self());
  start_writing(lock, site);
  record_object(EVENT_RWLOCK_TRYWRITE_DONE, lock, site, 0);
  return 0;
}

/* ---- unlocking ---- */

static const char *misuse_of(const struct object *lock) {
  return rwlock_can_write(lock) ? "unlock of a rwlock that is not locked"
                                : "unlock of a rwlock that only other threads hold";
}

WRAPPED(int, pthread_rwlock_unlock, (pthread_rwlock_t * address), (address)) {
  const site_id site = take_site();
  struct object *lock = object_at(address, RWLOCK_OBJECT);
  struct read_hold *hold = find_hold(lock);
  const uint8_t kind = hold ? EVENT_RWLOCK_READ_UNLOCK : EVENT_RWLOCK_WRITE_UNLOCK;
  schedule_object(kind, lock, site, false);
  if (!hold && lock->owner != self()->id) {
    record_object(kind, lock, site, EPERM);
    finish_run_with_message(OUTCOME_LOCK_MISUSE, site, lock->address, misuse_of(lock));
  }
  if (hold)
    stop_reading(lock, hold);
  else
    stop_writing(lock);
  record_object(kind, lock, site, 0);
  return 0;
}
