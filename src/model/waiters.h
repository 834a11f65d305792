/* SPDX-License-Identifier: MIT
 *
 * Who waits for a signal, and who gets it: of a condition variable of POSIX the thread that the signal's alternative
 * names, among those who wait in the order of their ids; of a condition in a monitor the first who came.
 */
#ifndef HEDDLE_MODEL_WAITERS_H
#define HEDDLE_MODEL_WAITERS_H

#include "model/kinds.h"

struct waiter_state {
  uint64_t condition; /* it waits for a signal to this one, 0 none */
  uint64_t since;     /* lower: began to wait earlier */
  bool is_signalled;  /* it has been, and has not gone on yet */
};

/* The condition variable that the event waits on or signals. */
static inline uint64_t event_condition(const struct event *event) {
  return event_class_of(event) == CLASS_MONITOR ? event->value : event->object;
}

static inline void waiter_wake(struct waiter_state *waiter) {
  waiter->condition = 0;
  waiter->is_signalled = true;
}

/* NULL: nobody waits. */
static inline struct waiter_state *waiters_find(struct waiter_state *waiters, uint32_t n_threads,
                                                const struct event *signal) {
  const uint64_t condition = event_condition(signal);
  struct waiter_state *first = 0;
  uint32_t skip = signal->alternative;
  for (uint32_t i = 0; i < n_threads; i++) {
    if (waiters[i].condition != condition) continue;
    if (event_class_of(signal) == CLASS_CONDITION && skip-- == 0) return &waiters[i];
    if (event_class_of(signal) == CLASS_MONITOR && (!first || waiters[i].since < first->since)) first = &waiters[i];
  }
  return first;
}

static inline void waiters_wake_all(struct waiter_state *waiters, uint32_t n_threads, uint64_t condition) {
  for (uint32_t i = 0; i < n_threads; i++)
    if (waiters[i].condition == condition) waiter_wake(&waiters[i]);
}

static inline void waiters_wake_one(struct waiter_state *waiters, uint32_t n_threads, const struct event *signal) {
  struct waiter_state *const waiter = waiters_find(waiters, n_threads, signal);
  if (waiter) waiter_wake(waiter);
}

/* `waiters` has an entry per thread; `now` grows with every event. */
static inline void waiters_apply(struct waiter_state *waiters, uint32_t n_threads, const struct event *event,
                                 uint64_t now) {
  struct waiter_state *const self = &waiters[event->thread];
  switch (event_effect_of(event)) {
  case EFFECT_WAITS: *self = (struct waiter_state){event_condition(event), now, false}; break;
  case EFFECT_QUITS: waiter_wake(self); break;
  case EFFECT_RELOCKS:
  case EFFECT_RESUMES: *self = (struct waiter_state){0}; break;
  case EFFECT_TAKES:
    if (event_class_of(event) == CLASS_MONITOR) *self = (struct waiter_state){0};
    break;
  case EFFECT_SIGNALS:
  case EFFECT_SIGNALS_AND_GIVES:
  case EFFECT_HANDS_OVER: waiters_wake_one(waiters, n_threads, event); break;
  case EFFECT_SIGNALS_ALL: waiters_wake_all(waiters, n_threads, event_condition(event)); break;
  default: break;
  }
}

#endif
