/* SPDX-License-Identifier: MIT
 *
 * What a synchronisation object is, and what operations do to it: one state machine per class.
 *
 *     object_enabled   can this operation be performed now, by this thread?
 *     object_apply     what the object is after the event
 *     object_learn     what it was before the event, as far as the event says
 *
 * The members of a state mean, per class:
 *
 *     mutex, spinlock, monitor   owner: who has it
 *     rwlock                     owner: who writes; count: how many read locks there are; asking: writers that wait
 *     once                       owner: who is inside; count: 1 when the function has returned
 *     semaphore, binary          count: the value
 *     port, message queue        count: messages in it; limit: how many it holds
 *     eventfd                    count: the counter
 *     barrier                    count: threads that wait; limit: how many open it
 *     thread                     count: 1 when it has ended
 *
 * An operation on a condition variable is one on its mutex as well, which is the event's value: who waits for which
 * signal, or sleeps on a futex, is in waiters.h. Of pipes a trace does not say what is in them.
 */
#ifndef HEDDLE_MODEL_OBJECT_H
#define HEDDLE_MODEL_OBJECT_H

#include "model/kinds.h"

struct object_state {
  uint32_t count, limit, asking;
  thread_id owner;   /* NO_THREAD: nobody */
  bool is_unknown;   /* of `count`, nothing is known */
  bool is_preferred; /* rwlock: writers that wait keep readers out */
};

/* What the answer depends on besides the object. */
struct asker {
  thread_id thread;
  bool is_signalled; /* what it waits for from now on is the lock alone */
  bool may_nest;     /* it can lock once more what it has, and be told so */
  bool owner_ended;  /* the mutex is robust, and who has it has ended */
};

enum readiness { READY_NO, READY_YES, READY_UNKNOWN };

static inline struct object_state object_initial(enum event_class class) {
  const bool is_unknown = class == CLASS_SEMAPHORE || class == CLASS_BINARY || class == CLASS_DESCRIPTOR;
  return (struct object_state){.owner = NO_THREAD, .is_unknown = is_unknown};
}

static inline bool object_is_free(const struct object_state *object, const struct asker *asker) {
  return object->owner == NO_THREAD || asker->owner_ended;
}

/* Writers that wait keep readers out only where there are readers already. */
static inline bool object_can_be_read(const struct object_state *object) {
  return object->owner == NO_THREAD && !(object->is_preferred && object->count && object->asking);
}

static inline bool object_can_be_written(const struct object_state *object) {
  return object->owner == NO_THREAD && object->count == 0;
}

/* Who writes an rwlock and would have to wait for it gets an error at once, and no second lock. */
static inline bool object_gives_error(const struct object_state *object, uint8_t kind, const struct asker *asker) {
  return object->owner == asker->thread && kind_waits(kind);
}

static inline enum readiness object_has(const struct object_state *object, bool what) {
  return object->is_unknown ? READY_UNKNOWN : what ? READY_YES : READY_NO;
}

/* Is what the kind needs there for the thread? */
static inline enum readiness object_enabled(const struct object_state *object, uint8_t kind,
                                            const struct asker *asker) {
  switch (kind_need(kind)) {
  case NEEDS_NOTHING: return READY_YES;
  case NEEDS_FREE: return object_is_free(object, asker) || (asker->may_nest && object->owner == asker->thread);
  case NEEDS_RELOCK:
  case NEEDS_SIGNAL: return asker->is_signalled && object_is_free(object, asker);
  case NEEDS_IDLE: return object->owner == NO_THREAD;
  case NEEDS_UNWRITTEN: return object_can_be_read(object) || object_gives_error(object, kind, asker);
  case NEEDS_UNUSED: return object_can_be_written(object) || object_gives_error(object, kind, asker);
  case NEEDS_TOKEN:
  case NEEDS_MESSAGE:
  case NEEDS_DATA: return object_has(object, object->count > 0);
  case NEEDS_NO_TOKEN: return object_has(object, object->count == 0);
  case NEEDS_ROOM: return object_has(object, object->count < object->limit);
  case NEEDS_END: return object->count > 0;
  case NEEDS_WAKE: return asker->is_signalled;
  case NEEDS_ANSWER:
  case NEEDS_OPENING: return READY_NO; /* the event that lets it continue makes it continue at once */
  case NEEDS_EXPECTED:
  case NEEDS_ARRIVAL:
  case NEEDS_FILE:
  case NEEDS_PROCESS:
  case NEEDS_SPACE:
  case NEEDS_READINESS: return READY_UNKNOWN;
  }
  return READY_UNKNOWN;
}

static inline void object_set_count(struct object_state *object, uint64_t count) {
  object->count = count < UINT32_MAX ? (uint32_t)count : UINT32_MAX;
  object->is_unknown = false;
}

static inline void object_take(struct object_state *object, const struct event *event) {
  if (event_class_of(event) != CLASS_MONITOR && !event_succeeded(event)) return;
  object->owner = event->thread;
}

/* One that nested gives back keeps the lock, and an error changes nothing. */
static inline void object_give(struct object_state *object, const struct event *event) {
  const bool is_nested = event_class_of(event) == CLASS_MUTEX && event->flags & EVENT_NESTED;
  const bool is_error = event_effect_of(event) == EFFECT_GIVES && event->value;
  if (!is_nested && !is_error) object->owner = NO_THREAD;
}

static inline void object_apply_to_descriptor(struct object_state *object, const struct event *event) {
  const bool says_count = kind_in_vain(kind_attempted(event->kind)) != EVENT_NONE; /* a queue, an eventfd */
  if (!says_count)
    object->is_unknown = true;
  else
    object_set_count(object, event->value);
}

static inline void object_apply(struct object_state *object, const struct event *event) {
  if (event_class_of(event) == CLASS_RWLOCK) object->is_preferred = event->flags & EVENT_PREFERS_WRITERS;
  switch (event_effect_of(event)) {
  case EFFECT_TAKES:
  case EFFECT_RESUMES: object_take(object, event); break;
  case EFFECT_RELOCKS: object->owner = event->thread; break;
  case EFFECT_GIVES:
  case EFFECT_SIGNALS_AND_GIVES:
  case EFFECT_HANDS_OVER:
  case EFFECT_WAITS: object_give(object, event); break;
  case EFFECT_SHARES: object->count += event->value == 0; break;
  case EFFECT_UNSHARES: object->count -= event->value == 0 && object->count > 0; break;
  case EFFECT_TAKES_TOKEN:
  case EFFECT_GIVES_TOKEN:
  case EFFECT_LOWERS:
  case EFFECT_RAISES: object_set_count(object, event->value); break;
  case EFFECT_LOOKS:
  case EFFECT_FAILS:
    if (event_class_of(event) == CLASS_SEMAPHORE) object_set_count(object, event->value);
    break;
  case EFFECT_NAMES: object->is_unknown = true; break;
  case EFFECT_SENDS:
    object->count++;
    object->limit = event->size;
    break;
  case EFFECT_RECEIVES: object->count -= object->count > 0; break;
  case EFFECT_ARRIVES:
    object->limit = event->size;
    object->count = event->value >= event->size ? 0 : (uint32_t)event->value;
    break;
  case EFFECT_ENTERS:
    if (!event->value) object->owner = event->thread;
    break;
  case EFFECT_FINISHES:
    object->owner = NO_THREAD;
    object->count = 1;
    break;
  case EFFECT_ABANDONS: object->owner = NO_THREAD; break;
  case EFFECT_FILLS:
  case EFFECT_DRAINS:
  case EFFECT_CLOSES: object_apply_to_descriptor(object, event); break;
  case EFFECT_ENDS: object->count = 1; break;
  default: break;
  }
}

/* What a semaphore had before the event. False: the event does not say. */
static inline bool event_tokens_before(const struct event *event, uint64_t *tokens) {
  switch (event_effect_of(event)) {
  case EFFECT_TAKES_TOKEN: *tokens = event->value + 1; return true;
  case EFFECT_GIVES_TOKEN: *tokens = event->value - 1; return true;
  case EFFECT_LOWERS: *tokens = 1; return true;
  case EFFECT_RAISES: *tokens = 0; return true;
  case EFFECT_LOOKS:
  case EFFECT_FAILS: *tokens = event->value; return event_class_of(event) == CLASS_SEMAPHORE;
  default: return false;
  }
}

static inline void object_learn(struct object_state *object, const struct event *event) {
  uint64_t tokens;
  if (object->is_unknown && event_tokens_before(event, &tokens)) object_set_count(object, tokens);
}

#endif
