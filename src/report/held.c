/* SPDX-License-Identifier: MIT
 *
 * Which locks a thread holds follows from its events: those that acquire and those that release. Waiting on a condition
 * variable releases the mutex that the event's value names, and waking up acquires it again.
 */
#include "report/rows.h"

enum effect { NO_EFFECT, ACQUIRES, RELEASES, ACQUIRES_VALUE, RELEASES_VALUE };

static enum effect effect_of(const struct event *event) {
  switch (event->kind) {
  case EVENT_MUTEX_LOCK:
  case EVENT_MUTEX_TRYLOCK_DONE:
  case EVENT_RWLOCK_READ:
  case EVENT_RWLOCK_TRYREAD_DONE:
  case EVENT_RWLOCK_WRITE:
  case EVENT_RWLOCK_TRYWRITE_DONE:
  case EVENT_SPINLOCK_LOCK:
  case EVENT_SPINLOCK_TRYLOCK_DONE: return event->value == 0 ? ACQUIRES : NO_EFFECT;
  case EVENT_MUTEX_UNLOCK:
  case EVENT_RWLOCK_READ_UNLOCK:
  case EVENT_RWLOCK_WRITE_UNLOCK:
  case EVENT_SPINLOCK_UNLOCK: return event->value == 0 ? RELEASES : NO_EFFECT;
  case EVENT_MONITOR_ENTER:
  case EVENT_MONITOR_REENTER:
  case EVENT_MONITOR_RESUME: return ACQUIRES;
  case EVENT_MONITOR_WAIT:
  case EVENT_MONITOR_SIGNAL_WAIT:
  case EVENT_MONITOR_SIGNAL_EXIT:
  case EVENT_MONITOR_EXIT: return RELEASES;
  case EVENT_CONDITION_WAIT: return RELEASES_VALUE;
  case EVENT_CONDITION_WAKE:
  case EVENT_CONDITION_TIMED_OUT:
  case EVENT_CONDITION_SPURIOUS: return ACQUIRES_VALUE;
  default: return NO_EFFECT;
  }
}

static struct shown_lock *find_lock(held_locks *held, thread_id thread, uint64_t address) {
  for (size_t i = 0; i < held->count; i++)
    if (held->items[i].thread == thread && held->items[i].address == address) return &held->items[i];
  return NULL;
}

static void acquire(held_locks *held, const struct event *event, uint64_t address) {
  struct shown_lock *lock = find_lock(held, event->thread, address);
  if (lock)
    lock->count++;
  else
    vector_push(held, ((struct shown_lock){address, event->site, event->thread, 1}));
}

static void release(held_locks *held, const struct event *event, uint64_t address) {
  struct shown_lock *lock = find_lock(held, event->thread, address);
  if (!lock || --lock->count > 0) return;
  for (struct shown_lock *end = held->items + --held->count; lock < end; lock++) *lock = lock[1];
}

void held_note(held_locks *held, const struct event *event) {
  switch (effect_of(event)) {
  case ACQUIRES: acquire(held, event, event->object); break;
  case RELEASES: release(held, event, event->object); break;
  case ACQUIRES_VALUE: acquire(held, event, event->value); break;
  case RELEASES_VALUE: release(held, event, event->value); break;
  case NO_EFFECT: break;
  }
}
