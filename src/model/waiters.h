/* SPDX-License-Identifier: MIT
 *
 * Who waits for a signal, and who gets it: of a condition variable of POSIX the thread that the signal's alternative
 * names, among those who wait in the order of their ids; of a condition in a monitor the first who came. A wake of a
 * futex can be for several threads: its alternative is the place of that set among all that it could be for, as
 * wake_takes_next orders them.
 */
#ifndef HEDDLE_MODEL_WAITERS_H
#define HEDDLE_MODEL_WAITERS_H

#include "model/kinds.h"

struct waiter_state {
  uint64_t condition; /* it waits for a signal to this one, 0 none */
  uint64_t since;     /* lower: began to wait earlier */
  bool is_signalled;  /* it has been, and has not gone on yet */
  uint64_t mask;      /* of a futex: for which wakes */
};

/* ---- which threads a wake is for ---- */

#define MOST_WAKE_WAYS 1000u

/* Of `left` threads, `wanted` are to be woken: the set with this rank among all such sets. */
struct wake_choice {
  uint32_t left, wanted, rank;
};

/* How many such sets there are; MOST_WAKE_WAYS + 1: more than that. */
static inline uint32_t wake_ways(uint32_t left, uint32_t wanted) {
  uint64_t ways = 1;
  if (wanted >= left) return 1;
  for (uint32_t i = 1; i <= wanted && ways <= MOST_WAKE_WAYS; i++) ways = ways * (left - wanted + i) / i;
  return ways <= MOST_WAKE_WAYS ? (uint32_t)ways : MOST_WAKE_WAYS + 1;
}

/* Is the next one of them in the set? */
static inline bool wake_takes_next(struct wake_choice *choice) {
  if (choice->wanted == 0) return false;
  const uint32_t with = wake_ways(choice->left - 1, choice->wanted - 1);
  const bool is_taken = choice->left <= choice->wanted || choice->rank < with;
  choice->left--;
  if (is_taken)
    choice->wanted--;
  else
    choice->rank -= with;
  return is_taken;
}

/* ---- waiting ---- */

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

static inline bool waiter_sleeps(const struct waiter_state *waiter, const struct event *wake) {
  return waiter->condition == wake->object && waiter->mask & wake->before;
}

static inline uint32_t waiters_count_asleep(const struct waiter_state *waiters, uint32_t n_threads,
                                            const struct event *wake) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < n_threads; i++) count += waiter_sleeps(&waiters[i], wake);
  return count;
}

static inline void waiters_wake_some(struct waiter_state *waiters, uint32_t n_threads, const struct event *wake) {
  struct wake_choice choice = {waiters_count_asleep(waiters, n_threads, wake), wake->size, wake->alternative};
  for (uint32_t i = 0; i < n_threads; i++) {
    if (!waiter_sleeps(&waiters[i], wake)) continue;
    if (wake_takes_next(&choice))
      waiter_wake(&waiters[i]);
    else if (event_effect_of(wake) == EFFECT_MOVES)
      waiters[i].condition = wake->value;
  }
}

/* `waiters` has an entry per thread; `now` grows with every event. */
static inline void waiters_apply(struct waiter_state *waiters, uint32_t n_threads, const struct event *event,
                                 uint64_t now) {
  struct waiter_state *const self = &waiters[event->thread];
  switch (event_effect_of(event)) {
  case EFFECT_WAITS: *self = (struct waiter_state){.condition = event_condition(event), .since = now}; break;
  case EFFECT_SLEEPS: *self = (struct waiter_state){event->object, now, false, event->before}; break;
  case EFFECT_WAKES:
  case EFFECT_MOVES: waiters_wake_some(waiters, n_threads, event); break;
  case EFFECT_QUITS: waiter_wake(self); break;
  case EFFECT_HANDLES:
    if (self->condition) waiter_wake(self);
    break;
  case EFFECT_RELOCKS:
  case EFFECT_AWAKES:
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
