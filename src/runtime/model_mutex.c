/* SPDX-License-Identifier: MIT
 *
 * Mutexes: normal, recursive, errorcheck, each plain or robust. A thread that locks a normal mutex it holds waits for
 * ever, as POSIX has it. A lock with a deadline can be chosen although the mutex is held: then it times out. Priority
 * protocols change nothing here, as no thread has a priority.
 */
#include "cxx.h"
#include "ends.h"
#include "models.h"
#include "rounds.h"
#include "snapshot.h"

#include <errno.h>
#include <pthread.h>

#define PROTECT_FLAG 64 /* glibc's PTHREAD_MUTEX_PRIO_PROTECT_NP, in __kind */
#define CEILING_SHIFT 19
#define HIGHEST_CEILING 99

static void acquire(struct object *mutex, site_id site) {
  mutex->owner = self()->id;
  mutex->owner_site = site;
  mutex->count = 1;
  mutex->version++;
  races_acquire(mutex);
  lockorder_taken(mutex, false);
}

int mutex_take(struct object *mutex, site_id site) {
  if (mutex->robustness == ROBUST_LOST) return ENOTRECOVERABLE;
  const bool left_behind = mutex->owner != NO_THREAD;
  if (left_behind) races_join(self(), &rt->threads[mutex->owner]);
  acquire(mutex, site);
  if (!left_behind) return 0;
  mutex->robustness = ROBUST_INCONSISTENT;
  return EOWNERDEAD;
}

void mutex_release(struct object *mutex) {
  races_release(mutex);
  lockorder_released(mutex);
  mutex->owner = NO_THREAD;
  mutex->count = 0;
  if (mutex->robustness == ROBUST_INCONSISTENT) mutex->robustness = ROBUST_LOST;
  mutex->version++;
}

static bool is_mine(const struct object *mutex) {
  return mutex->owner == self()->id;
}

WRAPPED(int, pthread_mutex_init, (pthread_mutex_t * mutex, const pthread_mutexattr_t *attributes),
        (mutex, attributes)) {
  object_before_initialise(mutex, MUTEX_OBJECT, take_site());
  snapshot_make_writable(mutex, sizeof *mutex);
  const int result = __real_pthread_mutex_init(mutex, attributes);
  if (result == 0) object_reset(mutex, MUTEX_OBJECT);
  return result;
}

WRAPPED(int, pthread_mutex_destroy, (pthread_mutex_t * address), (address)) {
  const site_id site = take_site();
  struct object *mutex = object_at(address, MUTEX_OBJECT);
  if (mutex->owner != NO_THREAD && (mutex->type != MUTEX_NORMAL || mutex->robustness != NOT_ROBUST)) return EBUSY;
  object_destroy(mutex, site);
  return 0;
}

/* As schedule_object() and schedule_until() do. */
static inline void take_turn(uint8_t kind, struct object *mutex, site_id site, bool can_block, bool can_give_up) {
  spin_changes(self());
  trace_complete_value(self());
  self()->operation = (struct operation){.kind = kind,
                                         .address = mutex->address,
                                         .object = mutex,
                                         .site = site,
                                         .can_block = can_block,
                                         .can_give_up = can_give_up};
  schedule_in_line(self(), can_block);
  object_check(mutex, site);
}

/* A recursive mutex that is held already. */
static int lock_again(struct object *mutex) {
  if (mutex->count == UINT32_MAX) return EAGAIN;
  mutex->count++;
  mutex->version++;
  return 0;
}

static int lock_mine(struct object *mutex) {
  return mutex->type == MUTEX_RECURSIVE ? lock_again(mutex) : EDEADLK;
}

/* A loop that takes a lock in every round may begin here. */
static __attribute__((noinline)) void look_for_round(const struct object *mutex, site_id site, char *frame) {
  const struct visit visit = visit_of_object(mutex, site, frame);
  spin_note_opaque_calls(self());
  rounds_look(self(), &visit);
}

static INLINED int lock_until(pthread_mutex_t *address, const struct deadline *deadline, char *frame) {
  const site_id site = take_site();
  struct object *mutex = object_at(address, MUTEX_OBJECT);
  if (rounds_are_due(self()) && !deadline) look_for_round(mutex, site, frame);
  take_turn(EVENT_MUTEX_LOCK, mutex, site, true, deadline != NULL);
  if (mutex_is_available(mutex) || (is_mine(mutex) && mutex->type != MUTEX_NORMAL)) {
    if (!deadline) lockorder_waits_for(mutex, site, false);
    const bool mine = !mutex_is_available(mutex);
    const int result = mine ? lock_mine(mutex) : mutex_take(mutex, site);
    struct event *event = record_object(EVENT_MUTEX_LOCK, mutex, site, (uint64_t)result);
    if (mine) event->flags |= EVENT_NESTED;
    return deadline_kept(deadline, result);
  }
  record_object(EVENT_MUTEX_TIMED_OUT, mutex, site, ETIMEDOUT);
  return deadline_passed(deadline);
}

WRAPPED(int, pthread_mutex_lock, (pthread_mutex_t * address), (address)) {
  if (cxx_library_has((uint64_t)address)) return 0;
  return lock_until(address, NULL, SPIN_FRAME());
}

WRAPPED(int, pthread_mutex_timedlock, (pthread_mutex_t * address, const struct timespec *time), (address, time)) {
  return lock_until(address, &(struct deadline){CLOCK_REALTIME, *time}, NULL);
}

WRAPPED(int, pthread_mutex_clocklock, (pthread_mutex_t * address, clockid_t clock, const struct timespec *time),
        (address, clock, time)) {
  if (!deadline_has_clock(clock)) return EINVAL;
  return lock_until(address, &(struct deadline){clock, *time}, NULL);
}

WRAPPED(int, pthread_mutex_trylock, (pthread_mutex_t * address), (address)) {
  char *frame = SPIN_FRAME();
  const site_id site = take_site();
  struct object *mutex = object_at(address, MUTEX_OBJECT);
  schedule_attempt(EVENT_MUTEX_TRYLOCK_DONE, mutex, site, frame);
  const bool again = !mutex_is_available(mutex) && is_mine(mutex) && mutex->type == MUTEX_RECURSIVE;
  int result = EBUSY;
  if (again)
    result = lock_again(mutex);
  else if (mutex_is_available(mutex))
    result = mutex_take(mutex, site);
  if (result != EBUSY) spin_changes(self());
  struct event *event = record_object(result != EBUSY ? EVENT_MUTEX_TRYLOCK_DONE : EVENT_MUTEX_TRYLOCK_FAILED, mutex,
                                      site, (uint64_t)result);
  if (again) event->flags |= EVENT_NESTED;
  return result;
}

WRAPPED(int, pthread_mutex_unlock, (pthread_mutex_t * address), (address)) {
  if (cxx_library_has((uint64_t)address)) return 0;
  const site_id site = take_site();
  struct object *mutex = object_at(address, MUTEX_OBJECT);
  take_turn(EVENT_MUTEX_UNLOCK, mutex, site, false, false);
  if (!is_mine(mutex)) {
    record_object(EVENT_MUTEX_UNLOCK, mutex, site, EPERM);
    if (mutex->type != MUTEX_NORMAL || mutex->robustness != NOT_ROBUST) return EPERM;
    finish_run_with_message(OUTCOME_LOCK_MISUSE, site, mutex->address,
                            mutex->owner == NO_THREAD ? "unlock of a mutex that is not locked"
                                                      : "unlock of a mutex that another thread holds");
  }
  if (--mutex->count == 0) mutex_release(mutex);
  mutex->version++;
  struct event *event = record_object(EVENT_MUTEX_UNLOCK, mutex, site, 0);
  if (mutex->count > 0) event->flags |= EVENT_NESTED;
  return 0;
}

/* Only the owner sees the difference until it unlocks, so this is not a visible operation. */
WRAPPED(int, pthread_mutex_consistent, (pthread_mutex_t * address), (address)) {
  struct object *mutex = object_at(address, MUTEX_OBJECT);
  if (!is_mine(mutex) || mutex->robustness != ROBUST_INCONSISTENT) return EINVAL;
  mutex->robustness = ROBUST;
  return 0;
}

/* The ceiling is kept where pthread_mutex_getprioceiling of libc looks for it. */
WRAPPED(int, pthread_mutex_setprioceiling, (pthread_mutex_t * address, int ceiling, int *old),
        (address, ceiling, old)) {
  if (!(address->__data.__kind & PROTECT_FLAG) || ceiling < 1 || ceiling > HIGHEST_CEILING) return EINVAL;
  snapshot_make_writable(address, sizeof *address);
  if (old) *old = address->__data.__lock >> CEILING_SHIFT;
  address->__data.__lock = ceiling << CEILING_SHIFT;
  return 0;
}
