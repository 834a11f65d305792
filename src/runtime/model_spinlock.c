/* SPDX-License-Identifier: MIT
 *
 * Spinlocks. Nobody really spins: a thread waits while another one, or itself, holds the lock.
 */
#include "ends.h"
#include "models.h"
#include "snapshot.h"

#include <errno.h>
#include <pthread.h>

WRAPPED(int, pthread_spin_init, (pthread_spinlock_t * lock, int shared), (lock, shared)) {
  object_before_initialise((const void *)lock, SPINLOCK_OBJECT, take_site());
  snapshot_make_writable((const void *)lock, sizeof *lock);
  const int result = __real_pthread_spin_init(lock, shared);
  if (result == 0) object_reset((const void *)lock, SPINLOCK_OBJECT);
  return result;
}

WRAPPED(int, pthread_spin_destroy, (pthread_spinlock_t * address), (address)) {
  object_destroy(object_at((const void *)address, SPINLOCK_OBJECT), take_site());
  return 0;
}

static void acquire(struct object *lock, site_id site) {
  lock->owner = self()->id;
  lock->owner_site = site;
  lock->version++;
  races_acquire(lock);
  lockorder_taken(lock, false);
}

WRAPPED(int, pthread_spin_lock, (pthread_spinlock_t * address), (address)) {
  const site_id site = take_site();
  struct object *lock = object_at((const void *)address, SPINLOCK_OBJECT);
  schedule_object(EVENT_SPINLOCK_LOCK, lock, site, true);
  lockorder_waits_for(lock, site, false);
  acquire(lock, site);
  record_object(EVENT_SPINLOCK_LOCK, lock, site, 0);
  return 0;
}

WRAPPED(int, pthread_spin_trylock, (pthread_spinlock_t * address), (address)) {
  char *frame = SPIN_FRAME();
  const site_id site = take_site();
  struct object *lock = object_at((const void *)address, SPINLOCK_OBJECT);
  schedule_attempt(EVENT_SPINLOCK_TRYLOCK_DONE, lock, site, frame);
  if (lock->owner != NO_THREAD) {
    record_object(EVENT_SPINLOCK_TRYLOCK_FAILED, lock, site, EBUSY);
    return EBUSY;
  }
  spin_changes(self());
  acquire(lock, site);
  record_object(EVENT_SPINLOCK_TRYLOCK_DONE, lock, site, 0);
  return 0;
}

WRAPPED(int, pthread_spin_unlock, (pthread_spinlock_t * address), (address)) {
  const site_id site = take_site();
  struct object *lock = object_at((const void *)address, SPINLOCK_OBJECT);
  schedule_object(EVENT_SPINLOCK_UNLOCK, lock, site, false);
  record_object(EVENT_SPINLOCK_UNLOCK, lock, site, 0);
  if (lock->owner != self()->id)
    finish_run_with_message(OUTCOME_LOCK_MISUSE, site, lock->address,
                            lock->owner == NO_THREAD ? "unlock of a spinlock that is not locked"
                                                     : "unlock of a spinlock that another thread holds");
  races_release(lock);
  lockorder_released(lock);
  lock->owner = NO_THREAD;
  lock->version++;
  return 0;
}
