/* SPDX-License-Identifier: MIT
 *
 * Mutexes: normal, recursive, errorcheck. A thread that locks a normal mutex it holds waits for ever, as POSIX has it.
 */
#include "models.h"

#include <errno.h>
#include <pthread.h>

void mutex_acquire(struct object *mutex, site_id site) {
  mutex->owner = self()->id;
  mutex->owner_site = site;
  mutex->count = 1;
  mutex->version++;
}

void mutex_release(struct object *mutex) {
  mutex->owner = NO_THREAD;
  mutex->count = 0;
  mutex->version++;
}

static bool is_mine(const struct object *mutex) {
  return mutex->owner == self()->id;
}

WRAPPED(int, pthread_mutex_init, (pthread_mutex_t * mutex, const pthread_mutexattr_t *attributes),
        (mutex, attributes)) {
  snapshot_make_writable(mutex, sizeof *mutex);
  const int result = __real_pthread_mutex_init(mutex, attributes);
  if (result == 0) object_reset(mutex, MUTEX_OBJECT);
  return result;
}

WRAPPED(int, pthread_mutex_destroy, (pthread_mutex_t * mutex), (mutex)) {
  return object_at(mutex, MUTEX_OBJECT)->owner == NO_THREAD ? 0 : EBUSY;
}

/* A recursive mutex that is held already. */
static int lock_again(struct object *mutex) {
  if (mutex->count == UINT32_MAX) return EAGAIN;
  mutex->count++;
  mutex->version++;
  return 0;
}

WRAPPED(int, pthread_mutex_lock, (pthread_mutex_t * address), (address)) {
  const site_id site = take_site();
  struct object *mutex = object_at(address, MUTEX_OBJECT);
  schedule_object(EVENT_MUTEX_LOCK, mutex, site, true);
  if (is_mine(mutex) && mutex->type == MUTEX_ERRORCHECK) {
    record_object(EVENT_MUTEX_LOCK, mutex, site, EDEADLK);
    return EDEADLK;
  }
  const int result = is_mine(mutex) ? lock_again(mutex) : (mutex_acquire(mutex, site), 0);
  record_object(EVENT_MUTEX_LOCK, mutex, site, (uint64_t)result);
  return result;
}

WRAPPED(int, pthread_mutex_trylock, (pthread_mutex_t * address), (address)) {
  char *frame = SPIN_FRAME();
  const site_id site = take_site();
  struct object *mutex = object_at(address, MUTEX_OBJECT);
  const bool free_now = mutex->owner == NO_THREAD || (is_mine(mutex) && mutex->type == MUTEX_RECURSIVE);
  schedule_attempt(EVENT_MUTEX_TRYLOCK_DONE, mutex, site, !free_now, frame);
  int result = EBUSY;
  if (mutex->owner == NO_THREAD)
    mutex_acquire(mutex, site), result = 0;
  else if (is_mine(mutex) && mutex->type == MUTEX_RECURSIVE)
    result = lock_again(mutex);
  if (result == 0) spin_end(self());
  record_object(result == 0 ? EVENT_MUTEX_TRYLOCK_DONE : EVENT_MUTEX_TRYLOCK_FAILED, mutex, site, (uint64_t)result);
  return result;
}

WRAPPED(int, pthread_mutex_unlock, (pthread_mutex_t * address), (address)) {
  const site_id site = take_site();
  struct object *mutex = object_at(address, MUTEX_OBJECT);
  schedule_object(EVENT_MUTEX_UNLOCK, mutex, site, false);
  if (!is_mine(mutex)) {
    record_object(EVENT_MUTEX_UNLOCK, mutex, site, EPERM);
    if (mutex->type != MUTEX_NORMAL) return EPERM;
    finish_run_with_message(OUTCOME_LOCK_MISUSE, site, mutex->address,
                            mutex->owner == NO_THREAD ? "unlock of a mutex that is not locked"
                                                      : "unlock of a mutex that another thread holds");
  }
  if (--mutex->count == 0) mutex_release(mutex);
  mutex->version++;
  record_object(EVENT_MUTEX_UNLOCK, mutex, site, 0);
  return 0;
}
