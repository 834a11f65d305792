/* SPDX-License-Identifier: MIT
 *
 * Locks of stdio streams that the program takes by hand: recursive, one per stream. What printf and the like do inside
 * one call is never interrupted, and does not wait for these locks.
 */
#include "ends.h"
#include "models.h"

#include <stdio.h>

static struct object *lock_of(FILE *file) {
  struct object *lock = object_at(file, FILE_OBJECT);
  lock->type = MUTEX_RECURSIVE;
  return lock;
}

static void take(struct object *lock, site_id site) {
  if (lock->owner == NO_THREAD) {
    mutex_take(lock, site);
    return;
  }
  lock->count++;
  lock->version++;
}

WRAPPED_VOID(flockfile, (FILE * file), (file)) {
  const site_id site = take_site();
  struct object *lock = lock_of(file);
  schedule_object(EVENT_MUTEX_LOCK, lock, site, true);
  take(lock, site);
  record_object(EVENT_MUTEX_LOCK, lock, site, 0);
}

WRAPPED(int, ftrylockfile, (FILE * file), (file)) {
  char *frame = SPIN_FRAME();
  const site_id site = take_site();
  struct object *lock = lock_of(file);
  const thread_id id = self()->id;
  schedule_attempt(EVENT_MUTEX_TRYLOCK_DONE, lock, site, frame);
  const bool busy = lock->owner != NO_THREAD && lock->owner != id;
  if (!busy) {
    spin_end(self());
    take(lock, site);
  }
  record_object(busy ? EVENT_MUTEX_TRYLOCK_FAILED : EVENT_MUTEX_TRYLOCK_DONE, lock, site, busy);
  return busy;
}

WRAPPED_VOID(funlockfile, (FILE * file), (file)) {
  const site_id site = take_site();
  struct object *lock = lock_of(file);
  schedule_object(EVENT_MUTEX_UNLOCK, lock, site, false);
  if (lock->owner != self()->id)
    finish_run_with_message(OUTCOME_LOCK_MISUSE, site, lock->address,
                            "funlockfile of a stream the thread has not locked");
  if (--lock->count == 0) mutex_release(lock);
  lock->version++;
  record_object(EVENT_MUTEX_UNLOCK, lock, site, 0);
}
