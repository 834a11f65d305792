/* SPDX-License-Identifier: MIT
 *
 * pthread_once: the first caller runs the function, later ones wait for its end. The object's owner is who runs it; its
 * count is 1 when that is done. A function that ends by an exception has not been run: the next caller runs it.
 *
 * The guards of C++'s static variables of functions are the same: the compiler puts the initialisation between
 * __cxa_guard_acquire and __cxa_guard_release, and __cxa_guard_abort where an exception leaves it. The first byte of a
 * guard is 1 when it is done, for code that heddle did not compile and that looks there.
 */
#include "cxx.h"
#include "ends.h"
#include "models.h"

#include <pthread.h>

/* True if the caller is to do it. */
static bool enter(struct object *once, site_id site) {
  schedule_object(EVENT_ONCE_ENTER, once, site, true);
  record_object(EVENT_ONCE_ENTER, once, site, once->count);
  races_acquire(once);
  if (once->count) return false;
  once->owner = self()->id;
  once->owner_site = site;
  return true;
}

static void leave(struct object *once, bool done, site_id site) {
  const uint8_t kind = done ? EVENT_ONCE_LEAVE : EVENT_ONCE_ABANDON;
  schedule_object(kind, once, site, false);
  once->owner = NO_THREAD;
  once->count = done;
  once->version++;
  races_release(once);
  record_object(kind, once, site, done);
}

/* ---- pthread_once ---- */

#define DONE 2 /* as glibc says it */

struct attempt {
  struct object *once;
  site_id site;
  bool done;
};

/* Also when an exception passes through. */
static void end_attempt(struct attempt *attempt) {
  leave(attempt->once, attempt->done, attempt->site);
}

static void run_once(struct object *once, void (*function)(void), site_id site) {
  __attribute__((cleanup(end_attempt))) struct attempt attempt = {once, site, false};
  function();
  rehearsal_check();
  attempt.done = true;
}

WRAPPED(int, pthread_once, (pthread_once_t * address, void (*function)(void)), (address, function)) {
  const site_id site = take_site();
  if (*address == DONE) return 0; /* before main, or by libstdc++ */
  if (cxx_library_has((uint64_t)address)) {
    function();
    *address = DONE;
    return 0;
  }
  struct object *once = object_at(address, ONCE_OBJECT);
  if (enter(once, site)) run_once(once, function, site);
  return 0;
}

/* ---- guards ---- */

int __real___cxa_guard_acquire(char *guard) __attribute__((weak));
EXPORTED int __wrap___cxa_guard_acquire(char *guard);
int __wrap___cxa_guard_acquire(char *guard) {
  if (!controlled) return __real___cxa_guard_acquire(guard);
  const site_id site = take_site();
  if (cxx_library_has((uint64_t)guard)) return *guard != 1;
  struct object *once = object_at(guard, ONCE_OBJECT);
  if (*guard == 1 && !once->count) return 0; /* before main */
  if (once->owner == self()->id)
    finish_run_with_message(OUTCOME_LOCK_MISUSE, site, (uint64_t)guard,
                            "a static variable is used by its own initialisation");
  return enter(once, site);
}

void __real___cxa_guard_release(char *guard) __attribute__((weak));
EXPORTED void __wrap___cxa_guard_release(char *guard);
void __wrap___cxa_guard_release(char *guard) {
  if (!controlled) {
    __real___cxa_guard_release(guard);
    return;
  }
  if (!cxx_library_has((uint64_t)guard)) leave(object_at(guard, ONCE_OBJECT), true, take_site());
  *guard = 1;
}

void __real___cxa_guard_abort(char *guard) __attribute__((weak));
EXPORTED void __wrap___cxa_guard_abort(char *guard);
void __wrap___cxa_guard_abort(char *guard) {
  if (!controlled)
    __real___cxa_guard_abort(guard);
  else if (!cxx_library_has((uint64_t)guard))
    leave(object_at(guard, ONCE_OBJECT), false, take_site());
}
