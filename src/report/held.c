/* SPDX-License-Identifier: MIT
 *
 * Which locks a thread holds follows from its events: src/model says which of them take a lock or give it back.
 */
#include "report/rows.h"

#include "model/kinds.h"

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
  const uint64_t taken = event_lock_taken(event), given = event_lock_given(event);
  if (taken) acquire(held, event, taken);
  if (given) release(held, event, given);
}
