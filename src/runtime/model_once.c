/* SPDX-License-Identifier: MIT
 *
 * pthread_once: the first caller runs the function, later ones wait for its end. The object's owner is who runs it; its
 * count is 1 when that is done.
 */
#include "models.h"

#include <pthread.h>

WRAPPED(int, pthread_once, (pthread_once_t * address, void (*function)(void)), (address, function)) {
  const site_id site = take_site();
  struct object *once = object_at(address, ONCE_OBJECT);
  schedule_object(EVENT_ONCE_ENTER, once, site, true);
  record_object(EVENT_ONCE_ENTER, once, site, once->count);
  races_acquire(once);
  /* glibc leaves 2 in the memory of one that was done before main. */
  if (once->count || *address == 2) return 0;
  once->owner = self()->id;
  once->owner_site = site;
  function();
  rehearsal_check();
  schedule_object(EVENT_ONCE_LEAVE, once, site, false);
  once->owner = NO_THREAD;
  once->count = 1;
  once->version++;
  races_release(once);
  record_object(EVENT_ONCE_LEAVE, once, site, 1);
  return 0;
}
