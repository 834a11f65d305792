/* SPDX-License-Identifier: MIT
 *
 * The beginning of a run, step by step: which known step (classes.h) each of them is, and which of them race.
 *
 * A step e races with a later step e' of another thread when both depend on each other, and e does not happen before
 * what the thread of e' did last: the thread could have stood before e' when e was taken. It also does when it is the
 * last that e' had to wait for, whatever that was: a join, a barrier, a signal. docs/algorithms/bounded.md
 */
#ifndef HEDDLE_EXPLORE_BOUNDED_RACES_H
#define HEDDLE_EXPLORE_BOUNDED_RACES_H

#include "explore/bounded/classes.h"
#include "trace/order.h"

/* Adds the side of a decision that the thread made. */
void fingerprint_add_side(struct fingerprint *fingerprint, thread_id thread, uint64_t constraint);

struct beginning_step {
  known_id known;
  uint32_t previous; /* 1 + the step before it of the same thread, 0 none */
  uint32_t number;   /* of the steps of its thread before it */
};

struct beginning {
  struct order *order;
  VECTOR(struct beginning_step) steps;
  VECTOR(uint32_t) before; /* a cache: the clock of a thread before its step */
};

void beginning_init(struct beginning *self);
void beginning_free(struct beginning *self);

static inline uint32_t beginning_length(const struct beginning *self) {
  return (uint32_t)self->steps.count;
}
static inline known_id beginning_step(const struct beginning *self, uint32_t step) {
  return self->steps.items[step].known;
}
const struct event *beginning_event(const struct beginning *self, uint32_t step);

/* Back to its first `n_steps`. */
void beginning_cut(struct beginning *self, uint32_t n_steps);
/* Adds events `first` to `end` of the trace: a step and those that follow it. The classes get to know it, and if it is
 * new to them, its races. */
void beginning_push(struct beginning *self, struct classes *classes, const struct trace_view *trace, uint32_t first,
                    uint32_t end);
/* The whole run is there: the races of what its threads stood before, and of what ended it. */
void beginning_end(struct beginning *self, struct classes *classes, const struct trace_view *trace);

#endif
