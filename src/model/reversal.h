/* SPDX-License-Identifier: MIT
 *
 * Which of two dependent operations could have come in the other order. docs/algorithms/dpor.md says why each rule is
 * right.
 */
#ifndef HEDDLE_MODEL_REVERSAL_H
#define HEDDLE_MODEL_REVERSAL_H

#include "model/dependence.h"

enum reversal {
  REVERSAL_NEVER, /* the later one cannot be performed where the earlier one was: that only orders them */
  REVERSAL_ALWAYS,
  REVERSAL_COUNT, /* of a semaphore's tokens, an rwlock's holders, or messages in ports, it must be found out */
  REVERSAL_ASK    /* whether the later one's thread could have moved */
};

static inline enum reversal reversal_before_lock(const struct event *earlier) {
  if (event_effect_of(earlier) == EFFECT_GIVES && earlier->value) return REVERSAL_ASK; /* it did not have the lock */
  return event_takes_free_lock(earlier) ? REVERSAL_ALWAYS : REVERSAL_NEVER;
}

static inline enum reversal reversal_before_rwlock(const struct event *earlier, const struct event *later) {
  const bool writes = kind_need(later->kind) == NEEDS_UNUSED;
  if ((earlier->flags | later->flags) & EVENT_PREFERS_WRITERS || earlier->value || later->value) return REVERSAL_ASK;
  switch (event_effect_of(earlier)) {
  case EFFECT_GIVES:
  case EFFECT_UNSHARES: return REVERSAL_NEVER;
  case EFFECT_TAKES:
  case EFFECT_SHARES: return writes ? REVERSAL_COUNT : REVERSAL_ALWAYS;
  default: return writes ? REVERSAL_NEVER : REVERSAL_ASK;
  }
}

static inline enum reversal reversal_before_token(const struct event *earlier) {
  switch (event_effect_of(earlier)) {
  case EFFECT_TAKES_TOKEN: return REVERSAL_ALWAYS;
  case EFFECT_GIVES_TOKEN: return REVERSAL_COUNT;
  case EFFECT_FAILS: return REVERSAL_NEVER;
  case EFFECT_LOOKS: return earlier->value > 0 ? REVERSAL_ALWAYS : REVERSAL_NEVER;
  default: return REVERSAL_ASK;
  }
}

static inline enum reversal reversal_by_need(const struct event *earlier, const struct event *later) {
  switch (kind_need(later->kind)) {
  case NEEDS_FREE:
  case NEEDS_RELOCK: return reversal_before_lock(earlier);
  case NEEDS_UNWRITTEN:
  case NEEDS_UNUSED: return reversal_before_rwlock(earlier, later);
  case NEEDS_TOKEN:
    if (event_class_of(later) == CLASS_SEMAPHORE) return reversal_before_token(earlier);
    return earlier->kind == later->kind ? REVERSAL_ALWAYS : REVERSAL_NEVER;
  case NEEDS_NO_TOKEN: return earlier->kind == later->kind ? REVERSAL_ALWAYS : REVERSAL_NEVER;
  case NEEDS_IDLE: {
    const enum event_effect effect = event_effect_of(earlier); /* they end what made it wait */
    return effect == EFFECT_FINISHES || effect == EFFECT_ABANDONS ? REVERSAL_NEVER : REVERSAL_ALWAYS;
  }
  case NEEDS_ROOM: return earlier->kind == later->kind ? REVERSAL_ALWAYS : REVERSAL_COUNT;
  case NEEDS_MESSAGE: return event_looks_at_ports(earlier) ? REVERSAL_ASK : REVERSAL_COUNT;
  default: return REVERSAL_ASK;
  }
}

/* Of two dependent events of different threads, neither before the other by a third. */
static inline enum reversal events_reversal(const struct event *earlier, const struct event *later) {
  if (later->flags & EVENT_PARKED) return REVERSAL_ASK;
  if (later->flags & EVENT_GIVES_UP && event_effect_of(later) != EFFECT_RELOCKS) return REVERSAL_ALWAYS;
  if (!kind_waits(later->kind)) return REVERSAL_ALWAYS;
  if (event_class_of(later) == CLASS_MUTEX && later->flags & EVENT_NESTED) return REVERSAL_ALWAYS;
  if (event_dependence_of(earlier) == DEPENDENCE_GLOBAL || event_is_lifetime(earlier)) return REVERSAL_ASK;
  return reversal_by_need(earlier, later);
}

#endif
