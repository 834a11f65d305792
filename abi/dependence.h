/* SPDX-License-Identifier: MIT
 *
 * Which operations of two threads commute, and which of two that do not could have come in the other order. Shared by
 * the runtime (sleep sets) and the engine (happens-before). docs/algorithms/dpor.md says why each rule is right.
 *
 * Memory is compared by bytes, synchronisation objects by address. Waiting on a condition variable and waking up touch
 * two objects: the condition variable and the mutex, which is the event's value. The classes and dependences are the
 * columns of events.def.
 */
#ifndef HEDDLE_ABI_DEPENDENCE_H
#define HEDDLE_ABI_DEPENDENCE_H

#include "channel.h"

#include <stdbool.h>

enum event_class {
  CLASS_MEMORY,
  CLASS_MUTEX,
  CLASS_CONDITION,
  CLASS_SEMAPHORE,
  CLASS_ONCE,
  CLASS_RWLOCK,
  CLASS_SPINLOCK,
  CLASS_BINARY,
  CLASS_PORT,
  CLASS_MONITOR,
  CLASS_BARRIER,
  CLASS_THREAD,
  CLASS_DESCRIPTOR,
  CLASS_NOTHING
};

enum event_dependence {
  DEPENDENCE_READS,
  DEPENDENCE_WRITES,
  DEPENDENCE_DEPENDENT,
  DEPENDENCE_INDEPENDENT,
  DEPENDENCE_GLOBAL
};

static inline enum event_class event_class_of(const struct event *event) {
  static const uint8_t classes[EVENT_KINDS] = {
      [EVENT_NONE] = CLASS_NOTHING,
#define EVENT(name, words, class, visible, dependence) [EVENT_##name] = CLASS_##class,
#include "events.def"
#undef EVENT
  };
  return (enum event_class)classes[event->kind];
}

static inline enum event_dependence kind_dependence(uint8_t kind) {
  static const uint8_t dependences[EVENT_KINDS] = {
      [EVENT_NONE] = DEPENDENCE_INDEPENDENT,
#define EVENT(name, words, class, visible, dependence) [EVENT_##name] = DEPENDENCE_##dependence,
#include "events.def"
#undef EVENT
  };
  return (enum event_dependence)dependences[kind];
}

static inline enum event_dependence event_dependence_of(const struct event *event) {
  return event->flags & EVENT_OF_ALL ? DEPENDENCE_GLOBAL : kind_dependence(event->kind);
}

static inline bool event_writes(const struct event *event) {
  return event_dependence_of(event) == DEPENDENCE_WRITES;
}

/* Does it write its bytes of memory, whatever else it depends on? */
static inline bool event_writes_bytes(const struct event *event) {
  return event_class_of(event) == CLASS_MEMORY && kind_dependence(event->kind) == DEPENDENCE_WRITES;
}

/* Begins or ends the life of the objects in its bytes. */
static inline bool event_is_lifetime(const struct event *event) {
  return event->kind == EVENT_FREE || event->kind == EVENT_INITIALISE || event->kind == EVENT_DESTROY ||
         event->kind == EVENT_FRAME_END;
}

static inline bool event_is_signal(const struct event *event) {
  return event->kind == EVENT_CONDITION_SIGNAL || event->kind == EVENT_CONDITION_BROADCAST;
}

static inline bool event_takes_token(const struct event *event) {
  return event->kind == EVENT_SEMAPHORE_WAIT || event->kind == EVENT_SEMAPHORE_TRYWAIT_DONE;
}

/* Is its object a synchronisation object, named by an address? */
static inline bool event_has_address(const struct event *event) {
  const enum event_class class = event_class_of(event);
  return class >= CLASS_MUTEX && class <= CLASS_BARRIER;
}

/* The mutex that it takes or gives back, 0 none. */
static inline uint64_t event_mutex(const struct event *event) {
  if (event->kind == EVENT_CONDITION_WAIT || event->kind == EVENT_CONDITION_WAKE) return event->value;
  return event_class_of(event) == CLASS_MUTEX ? event->object : 0;
}

static inline bool events_overlap(const struct event *a, const struct event *b) {
  return a->object < b->object + b->size && b->object < a->object + a->size;
}

/* A receive, or a selective wait however it ended: what it does depends on the messages in all of its open ports. */
static inline bool event_looks_at_ports(const struct event *event) {
  return event->kind == EVENT_PORT_RECEIVE || event->kind == EVENT_PORT_ELSE || event->kind == EVENT_PORT_DELAY;
}

static inline uint32_t event_ports(const struct event *event) {
  return event_looks_at_ports(event) ? event->size : port_bit(event->object);
}

static inline bool event_covers_object(const struct event *memory, const struct event *event) {
  const uint64_t mutex = event_mutex(event);
  if (event_looks_at_ports(event) && event->size & port_bit(memory->object)) return true;
  return event->object - memory->object < memory->size || (mutex && mutex - memory->object < memory->size);
}

/* Sends commute: which sender a receive takes from is a choice of the receive. To a bounded port they do not, as one of
 * them may get the last place. */
static inline bool port_events_depend(const struct event *a, const struct event *b) {
  if (event_looks_at_ports(a) || event_looks_at_ports(b)) return event_ports(a) & event_ports(b);
  return a->kind == EVENT_PORT_SEND_BOUNDED && b->kind == EVENT_PORT_SEND_BOUNDED && a->object == b->object;
}

/* Two operations on one semaphore. Posts commute. The first takers of a run, as many as the semaphore had tokens at
 * first (EVENT_NEEDS_NO_POST), do not need any post. */
static inline bool semaphore_events_depend(const struct event *a, const struct event *b) {
  if (a->kind == EVENT_SEMAPHORE_POST && b->kind == EVENT_SEMAPHORE_POST) return false;
  if (a->kind == EVENT_SEMAPHORE_POST && event_takes_token(b)) return !(b->flags & EVENT_NEEDS_NO_POST);
  if (b->kind == EVENT_SEMAPHORE_POST && event_takes_token(a)) return !(a->flags & EVENT_NEEDS_NO_POST);
  return true;
}

/* Arrivals that belong to one round commute: those that are not the last of it, or have room for another behind them.
 */
static inline bool arrival_is_last(const struct event *event) {
  return event->value >= event->size;
}

static inline bool same_object_events_depend(const struct event *a, const struct event *b) {
  switch (event_class_of(a)) {
  case CLASS_CONDITION:
    if (a->kind == EVENT_CONDITION_WAKE || b->kind == EVENT_CONDITION_WAKE) return false;
    if (a->kind == EVENT_CONDITION_WAIT && b->kind == EVENT_CONDITION_WAIT) return a->value != b->value;
    return event_is_signal(a) || event_is_signal(b);
  case CLASS_SEMAPHORE: return semaphore_events_depend(a, b);
  case CLASS_ONCE: return !(a->kind == EVENT_ONCE_ENTER && b->kind == EVENT_ONCE_ENTER && a->value && b->value);
  case CLASS_RWLOCK: return event_writes(a) || event_writes(b) || (a->flags | b->flags) & EVENT_PREFERS_WRITERS;
  case CLASS_BARRIER: return arrival_is_last(a);
  default: return true;
  }
}

/* Do they not commute, performed by two threads one after the other? `a` is as it would be performed at the point
 * before both (that matters for arrivals at a barrier: event_pass keeps it true). */
static inline bool events_depend(const struct event *a, const struct event *b) {
  const enum event_class ca = event_class_of(a), cb = event_class_of(b);
  const bool is_alike = ca == cb && !((a->flags | b->flags) & EVENT_OF_ALL);
  if (is_alike && ca == CLASS_MEMORY) return events_overlap(a, b) && (event_writes(a) || event_writes(b));
  if (is_alike && ca == CLASS_MUTEX) return a->object == b->object;
  const enum event_dependence da = event_dependence_of(a), db = event_dependence_of(b);
  if (da == DEPENDENCE_INDEPENDENT || db == DEPENDENCE_INDEPENDENT) return false;
  if (da == DEPENDENCE_GLOBAL || db == DEPENDENCE_GLOBAL) return true;
  if (ca == CLASS_MEMORY) return event_is_lifetime(a) && event_has_address(b) && event_covers_object(a, b);
  if (cb == CLASS_MEMORY) return event_is_lifetime(b) && event_has_address(a) && event_covers_object(b, a);
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
  if (class != CLASS_SEMAPHORE) return true;
  return (event_takes_token(a) && a->flags & EVENT_NEEDS_NO_POST) ==
         (event_takes_token(b) && b->flags & EVENT_NEEDS_NO_POST);
}

/* `passed` was performed before `waiting`, which does not depend on it: is something else now true of `waiting`? */
static inline bool event_is_changed_by(const struct event *waiting, const struct event *passed) {
  return waiting->kind == EVENT_BARRIER_ARRIVE && passed->kind == EVENT_BARRIER_ARRIVE &&
         waiting->object == passed->object;
}

/* What is then true of it. */
static inline void event_pass(struct event *waiting, const struct event *passed) {
  if (event_is_changed_by(waiting, passed)) waiting->value++;
}

/* ---- which dependent events could have come in the other order ---- */

enum reversal {
  REVERSAL_NEVER, /* the later one cannot be performed where the earlier one was: that only orders them */
  REVERSAL_ALWAYS,
  REVERSAL_COUNT, /* of a semaphore's tokens, an rwlock's holders, or messages in ports, it must be found out */
  REVERSAL_ASK    /* whether the later one's thread could have moved */
};

/* May have to wait until another thread gives back what it took, or gives what is needed. */
static inline bool event_can_wait(const struct event *event) {
  if (event->flags & (EVENT_GIVES_UP | EVENT_PARKED | EVENT_NESTED)) return false;
  switch (event->kind) {
  case EVENT_MUTEX_LOCK:
  case EVENT_CONDITION_WAKE:
  case EVENT_SPINLOCK_LOCK:
  case EVENT_MONITOR_ENTER:
  case EVENT_BINARY_P:
  case EVENT_BINARY_V:
  case EVENT_ONCE_ENTER:
  case EVENT_RWLOCK_READ:
  case EVENT_RWLOCK_WRITE:
  case EVENT_SEMAPHORE_WAIT: return true;
  default: return false;
  }
}

/* Took the lock when nobody had it. */
static inline bool event_takes_free_lock(const struct event *event) {
  if (event->flags & EVENT_NESTED) return false;
  switch (event->kind) {
  case EVENT_MUTEX_LOCK:
  case EVENT_MUTEX_TRYLOCK_DONE:
  case EVENT_CONDITION_WAKE:
  case EVENT_SPINLOCK_LOCK:
  case EVENT_SPINLOCK_TRYLOCK_DONE:
  case EVENT_MONITOR_ENTER:
  case EVENT_MONITOR_REENTER: return true;
  default: return false;
  }
}

static inline bool event_locks_rwlock(const struct event *event) {
  return event->kind == EVENT_RWLOCK_READ || event->kind == EVENT_RWLOCK_TRYREAD_DONE ||
         event->kind == EVENT_RWLOCK_WRITE || event->kind == EVENT_RWLOCK_TRYWRITE_DONE;
}

static inline bool event_unlocks_rwlock(const struct event *event) {
  return event->kind == EVENT_RWLOCK_READ_UNLOCK || event->kind == EVENT_RWLOCK_WRITE_UNLOCK;
}

static inline enum reversal reversal_before_rwlock(const struct event *earlier, const struct event *later) {
  if ((earlier->flags | later->flags) & EVENT_PREFERS_WRITERS || earlier->value || later->value) return REVERSAL_ASK;
  if (event_unlocks_rwlock(earlier)) return REVERSAL_NEVER;
  if (event_locks_rwlock(earlier)) return later->kind == EVENT_RWLOCK_WRITE ? REVERSAL_COUNT : REVERSAL_ALWAYS;
  return later->kind == EVENT_RWLOCK_WRITE ? REVERSAL_NEVER : REVERSAL_ASK;
}

static inline enum reversal reversal_before_wait(const struct event *earlier) {
  if (event_takes_token(earlier)) return REVERSAL_ALWAYS;
  switch (earlier->kind) {
  case EVENT_SEMAPHORE_POST: return REVERSAL_COUNT;
  case EVENT_SEMAPHORE_TRYWAIT_FAILED:
  case EVENT_SEMAPHORE_TIMED_OUT: return REVERSAL_NEVER;
  case EVENT_SEMAPHORE_GETVALUE: return earlier->value > 0 ? REVERSAL_ALWAYS : REVERSAL_NEVER;
  default: return REVERSAL_ASK;
  }
}

/* Of two dependent events of different threads, neither before the other by a third. */
static inline enum reversal events_reversal(const struct event *earlier, const struct event *later) {
  const bool is_foreign = event_dependence_of(earlier) == DEPENDENCE_GLOBAL || event_is_lifetime(earlier);
  if (later->flags & EVENT_PARKED) return REVERSAL_ASK;
  if (later->flags & EVENT_GIVES_UP && later->kind != EVENT_CONDITION_WAKE) return REVERSAL_ALWAYS;
  switch (later->kind) {
  case EVENT_MUTEX_LOCK:
  case EVENT_CONDITION_WAKE:
    if (later->flags & EVENT_NESTED) return REVERSAL_ALWAYS;
    if (is_foreign || (earlier->kind == EVENT_MUTEX_UNLOCK && earlier->value)) return REVERSAL_ASK;
    return event_takes_free_lock(earlier) ? REVERSAL_ALWAYS : REVERSAL_NEVER;
  case EVENT_MONITOR_ENTER:
  case EVENT_SPINLOCK_LOCK:
    if (is_foreign) return REVERSAL_ASK;
    return event_takes_free_lock(earlier) ? REVERSAL_ALWAYS : REVERSAL_NEVER;
  case EVENT_BINARY_P:
  case EVENT_BINARY_V:
    if (is_foreign) return REVERSAL_ASK;
    return earlier->kind == later->kind ? REVERSAL_ALWAYS : REVERSAL_NEVER;
  case EVENT_PORT_SEND_BOUNDED:
    if (is_foreign) return REVERSAL_ASK;
    return earlier->kind == EVENT_PORT_SEND_BOUNDED ? REVERSAL_ALWAYS : REVERSAL_COUNT;
  case EVENT_PORT_RECEIVE: return is_foreign || event_looks_at_ports(earlier) ? REVERSAL_ASK : REVERSAL_COUNT;
  case EVENT_ONCE_ENTER:
    if (is_foreign) return REVERSAL_ASK;
    return earlier->kind == EVENT_ONCE_LEAVE ? REVERSAL_NEVER : REVERSAL_ALWAYS;
  case EVENT_RWLOCK_READ:
  case EVENT_RWLOCK_WRITE: return is_foreign ? REVERSAL_ASK : reversal_before_rwlock(earlier, later);
  case EVENT_SEMAPHORE_WAIT: return is_foreign ? REVERSAL_ASK : reversal_before_wait(earlier);
  case EVENT_PIPE_READ:
  case EVENT_PIPE_WRITE:
  case EVENT_PIPE_POLL:
  case EVENT_QUEUE_SEND:
  case EVENT_QUEUE_RECEIVE:
  case EVENT_MONITOR_REENTER:
  case EVENT_THREAD_TRYJOIN: return REVERSAL_ASK;
  default: return REVERSAL_ALWAYS;
  }
}

#endif
