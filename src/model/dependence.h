/* SPDX-License-Identifier: MIT
 *
 * Which operations of two threads commute. Shared by the runtime (sleep sets) and the engine (happens-before).
 * docs/algorithms/dpor.md says why each rule is right.
 *
 * Memory is compared by bytes, synchronisation objects by address. Waiting on a condition variable and waking up touch
 * two objects: the condition variable and the mutex, which is the event's value. The classes and dependences are the
 * columns of events.def.
 */
#ifndef HEDDLE_MODEL_DEPENDENCE_H
#define HEDDLE_MODEL_DEPENDENCE_H

#include "model/kinds.h"

static inline bool event_covers_object(const struct event *memory, const struct event *event) {
  const uint64_t mutex = event_mutex(event);
  if (event_looks_at_ports(event) && event->size & port_bit(memory->object)) return true;
  return event->object - memory->object < memory->size || (mutex && mutex - memory->object < memory->size);
}

/* Sends commute: which sender a receive takes from is a choice of the receive. To a bounded port they do not, as one of
 * them may get the last place. */
static inline bool port_events_depend(const struct event *a, const struct event *b) {
  if (event_looks_at_ports(a) || event_looks_at_ports(b)) return event_ports(a) & event_ports(b);
  return kind_need(a->kind) == NEEDS_ROOM && kind_need(b->kind) == NEEDS_ROOM && a->object == b->object;
}

/* Writing the word of a futex, and a wait that looks at it. */
static inline bool event_changes_word(const struct event *memory, const struct event *futex) {
  return event_reads_word(futex) && event_writes(memory) && events_overlap(memory, futex);
}

/* Two operations on one semaphore. Posts commute. The first takers of a run, as many as the semaphore had tokens at
 * first (EVENT_NEEDS_NO_POST), do not need any post. */
static inline bool semaphore_events_depend(const struct event *a, const struct event *b) {
  if (event_gives_token(a) && event_gives_token(b)) return false;
  if (event_gives_token(a) && event_takes_token(b)) return !(b->flags & EVENT_NEEDS_NO_POST);
  if (event_gives_token(b) && event_takes_token(a)) return !(a->flags & EVENT_NEEDS_NO_POST);
  return true;
}

/* Comes to a pthread_once when its function has returned. */
static inline bool event_finds_done(const struct event *event) {
  return event_effect_of(event) == EFFECT_ENTERS && event->value;
}

/* Arrivals that belong to one round commute: those that are not the last of it, or have room for another after them.
 */
static inline bool arrival_is_last(const struct event *event) {
  return event->value >= event->size;
}

static inline bool same_object_events_depend(const struct event *a, const struct event *b) {
  switch (event_class_of(a)) {
  case CLASS_CONDITION:
    if (event_effect_of(a) == EFFECT_RELOCKS || event_effect_of(b) == EFFECT_RELOCKS) return false;
    if (event_effect_of(a) == EFFECT_WAITS && event_effect_of(b) == EFFECT_WAITS) return a->value != b->value;
    return event_is_signal(a) || event_is_signal(b);
  case CLASS_SEMAPHORE: return semaphore_events_depend(a, b);
  case CLASS_ONCE: return !(event_finds_done(a) && event_finds_done(b));
  case CLASS_RWLOCK: return event_writes(a) || event_writes(b) || (a->flags | b->flags) & EVENT_PREFERS_WRITERS;
  case CLASS_BARRIER: return arrival_is_last(a);
  case CLASS_FUTEX: return event_effect_of(a) == EFFECT_WAKES || event_effect_of(b) == EFFECT_WAKES;
  default: return true;
  }
}

/* An event of memory, and one of an object. */
static inline bool memory_event_depends(const struct event *memory, const struct event *event) {
  if (event_is_lifetime(memory) && event_has_address(event) && event_covers_object(memory, event)) return true;
  return event_changes_word(memory, event);
}

/* An access of memory and an operation on a mutex, neither of which depends on more than its object? */
static inline bool events_are_apart(const struct event *a, const struct event *b) {
  const unsigned both = TRAIT_IS_ACCESS | TRAIT_OBJECT_IS_MUTEX;
  return ((kind_rows[a->kind].traits | kind_rows[b->kind].traits) & both) == both &&
         !((a->flags | b->flags) & EVENT_OF_ALL);
}

/* Do they not commute, performed by two threads one after the other? `a` is as it would be performed at the point
 * before both (that matters for arrivals at a barrier: event_pass keeps it true). */
static inline bool events_depend(const struct event *a, const struct event *b) {
  const enum event_class ca = event_class_of(a), cb = event_class_of(b);
  const bool is_alike = ca == cb && !((a->flags | b->flags) & EVENT_OF_ALL);
  if (is_alike && ca == CLASS_MEMORY) return events_overlap(a, b) && (event_writes(a) || event_writes(b));
  if (is_alike && ca == CLASS_MUTEX) return a->object == b->object;
  if (events_are_apart(a, b)) return false;
  const enum event_dependence da = event_dependence_of(a), db = event_dependence_of(b);
  if (da == DEPENDENCE_INDEPENDENT || db == DEPENDENCE_INDEPENDENT) return false;
  if (da == DEPENDENCE_GLOBAL || db == DEPENDENCE_GLOBAL) return true;
  if (ca == CLASS_MEMORY) return memory_event_depends(a, b);
  if (cb == CLASS_MEMORY) return memory_event_depends(b, a);
  const uint64_t mutex = event_mutex(a);
  if (mutex && mutex == event_mutex(b)) return true;
  if (ca == CLASS_PORT && cb == CLASS_PORT) return port_events_depend(a, b);
  return ca == cb && a->object == b->object && same_object_events_depend(a, b);
}

/* Do the same events depend on them, wherever they are performed? */
static inline bool events_touch_the_same(const struct event *a, const struct event *b) {
  const enum event_class class = event_class_of(a);
  const bool is_plain = class != CLASS_CONDITION && class != CLASS_BARRIER; /* of the others, `value` matters */
  if (is_plain && a->kind == b->kind && a->flags == b->flags && a->object == b->object && a->size == b->size)
    return true;
  if (event_dependence_of(a) == DEPENDENCE_GLOBAL || event_dependence_of(b) == DEPENDENCE_GLOBAL)
    return event_dependence_of(a) == event_dependence_of(b);
  if (class != event_class_of(b) || event_dependence_of(a) != event_dependence_of(b)) return false;
  if (event_mutex(a) != event_mutex(b)) return false;
  if (class == CLASS_PORT) return event_ports(a) == event_ports(b);
  if (a->object != b->object || (class == CLASS_MEMORY && a->size != b->size)) return false;
  if (class == CLASS_BARRIER) return arrival_is_last(a) == arrival_is_last(b);
  if (class == CLASS_FUTEX)
    return event_effect_of(a) == event_effect_of(b) || kind_attempted(a->kind) == kind_attempted(b->kind);
  if (class != CLASS_SEMAPHORE) return true;
  return (event_takes_token(a) && a->flags & EVENT_NEEDS_NO_POST) ==
         (event_takes_token(b) && b->flags & EVENT_NEEDS_NO_POST);
}

/* `passed` was performed before `waiting`, which does not depend on it: is something else now true of `waiting`? */
static inline bool event_is_changed_by(const struct event *waiting, const struct event *passed) {
  return event_arrives(waiting) && event_arrives(passed) && waiting->object == passed->object;
}

/* What is then true of it. */
static inline void event_pass(struct event *waiting, const struct event *passed) {
  if (event_is_changed_by(waiting, passed)) waiting->value++;
}

#endif
