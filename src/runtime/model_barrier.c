/* SPDX-License-Identifier: MIT
 *
 * Barriers. Arriving is a visible operation; the last to arrive opens the barrier and is its serial thread, as in
 * glibc. That the others go on then is no choice: leaving commutes with everything.
 */
#include "models.h"

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

WRAPPED(int, pthread_barrier_wait, (pthread_barrier_t * address), (address)) {
  const site_id site = take_site();
  struct object *barrier = object_at(address, BARRIER_OBJECT);
  schedule_object(EVENT_BARRIER_ARRIVE, barrier, site, false);
  barrier->count++;
  barrier->version++;
  races_release(barrier);
  record_object(EVENT_BARRIER_ARRIVE, barrier, site, barrier->count);
  if (barrier->needed == 0)
    finish_run_with_message(OUTCOME_LOCK_MISUSE, site, barrier->address, "wait at a barrier that is not initialised");
  if (barrier->count < barrier->needed) {
    schedule_wait_at_barrier(barrier, site);
    races_acquire(barrier);
    trace_record(EVENT_BARRIER_LEAVE, barrier->address, 0, site);
    return 0;
  }
  barrier->count = 0;
  schedule_open_barrier(barrier);
  races_acquire(barrier);
  trace_record(EVENT_BARRIER_LEAVE, barrier->address, 0, site);
  return PTHREAD_BARRIER_SERIAL_THREAD;
}
