/* SPDX-License-Identifier: MIT
 *
 * Barriers. Arriving is a visible operation; the last to arrive opens the barrier. That the others continue then is no
 * choice: leaving commutes with everything. The serial thread is the one with the lowest id, not the last to arrive, so
 * that arrivals commute; POSIX leaves it open.
 *
 * The object's owner is the serial thread of the last round.
 */
#include "ends.h"
#include "models.h"
#include "snapshot.h"
#include "twins.h"

#include <errno.h>
#include <pthread.h>

WRAPPED(int, pthread_barrier_init,
        (pthread_barrier_t * barrier, const pthread_barrierattr_t *attributes, unsigned count),
        (barrier, attributes, count)) {
  object_before_initialise(barrier, BARRIER_OBJECT, take_site());
  snapshot_make_writable(barrier, sizeof *barrier);
  const int result = __real_pthread_barrier_init(barrier, attributes, count);
  if (result == 0) object_reset(barrier, BARRIER_OBJECT)->needed = count;
  return result;
}

WRAPPED(int, pthread_barrier_destroy, (pthread_barrier_t * address), (address)) {
  object_destroy(object_at(address, BARRIER_OBJECT), take_site());
  return 0;
}

static thread_id lowest_at(const struct object *barrier) {
  thread_id lowest = self()->id;
  for (thread_id i = 0; i < lowest; i++)
    if (rt->threads[i].state == AT_BARRIER && rt->threads[i].operation.object == barrier) lowest = i;
  return lowest;
}

static int leave(struct object *barrier, site_id site) {
  races_acquire(barrier);
  trace_record(EVENT_BARRIER_LEAVE, barrier->address, 0, site);
  return barrier->owner == self()->id ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}

WRAPPED(int, pthread_barrier_wait, (pthread_barrier_t * address), (address)) {
  const site_id site = take_site();
  struct object *barrier = object_at(address, BARRIER_OBJECT);
  twins_tell_apart(self(), "they meet at a barrier"); /* the serial thread is the one with the lowest id */
  schedule_object(EVENT_BARRIER_ARRIVE, barrier, site, false);
  barrier->count++;
  barrier->version++;
  races_release(barrier);
  record_object(EVENT_BARRIER_ARRIVE, barrier, site, barrier->count)->size = barrier->needed;
  if (barrier->needed == 0)
    finish_run_with_message(OUTCOME_LOCK_MISUSE, site, barrier->address, "wait at a barrier that is not initialised");
  if (barrier->count < barrier->needed) {
    schedule_wait_at_barrier(barrier, site);
    return leave(barrier, site);
  }
  barrier->count = 0;
  barrier->owner = lowest_at(barrier);
  schedule_open_barrier(barrier);
  return leave(barrier, site);
}
