/* SPDX-License-Identifier: MIT
 *
 * Which steps of a run happen before which, and which of them could have come in the other order.
 *
 * An order is a stack of steps, so that runs with a common beginning share it: pop back to where they part, push the
 * rest. A step has a vector clock: for every thread, the number of the last step of that thread that happens before it
 * (plus one). docs/algorithms/dpor.md says what happens-before is here, src/model which operations commute.
 *
 * A race is a pair of dependent steps of two threads, one not before the other through a third, where the later one
 * could have been performed in the place of the earlier one. An operation that can have to wait races with each of
 * those that it could have been performed in the place of, also where these are ordered by what it waited for.
 */
#ifndef HEDDLE_TRACE_ORDER_H
#define HEDDLE_TRACE_ORDER_H

#include "model/reversal.h"
#include "trace/trace.h"

struct order;

struct race {
  uint32_t earlier; /* a step */
  bool is_unsure;   /* the later one's thread may turn out not to be able to move there */
};

struct order *order_create(void);
void order_destroy(struct order *order);

/* Adds an event, in the order of a trace: steps, and those that are not steps for the happens-before they carry. For a
 * step `enabled` is the set of threads that could move, as trace_enabled_set() has it. */
void order_push(struct order *order, const struct event *event, const uint64_t *enabled, size_t n_words);
/* Adds all events of the trace. */
void order_push_trace(struct order *order, const struct trace_view *trace);
/* Back to the first `n_steps` steps, with the events that followed the last of them. */
void order_pop(struct order *order, uint32_t n_steps);

uint32_t order_length(const struct order *order);
const struct event *order_event(const struct order *order, uint32_t step);
/* Strictly: false for a step and itself. */
bool order_happens_before(const struct order *order, uint32_t step, uint32_t later);
/* Threads that are known: ids from 0. */
thread_id order_threads(const struct order *order);
/* The step's clock: by thread, 1 + the last step of the thread that happens before it, or is it; 0 none. Valid until
 * the next event is pushed. */
const uint32_t *order_clock(const struct order *order, uint32_t step);
/* The same of what happens before the thread's next step as far as that is known already; NULL: nothing does. */
const uint32_t *order_thread_clock(const struct order *order, thread_id thread);
/* 1 + the last step of the thread, 0 none. */
uint32_t order_last_step_of(const struct order *order, thread_id thread);

/* The races of the step pushed last with earlier ones, latest first; valid until the next call. */
const struct race *order_races(const struct order *order, size_t *count);
/* The same for an operation that a thread stood before when the run ended; *event is made of it. False: it has none. */
bool order_find_pending_races(struct order *order, const struct pending *pending, struct event *event);

/* What can follow the steps before the earlier step of a race so that the later one comes first: all steps of the run
 * that do not happen after the earlier one, then the later one. */
struct reversal_steps {
  const uint32_t *steps; /* valid until the next call */
  size_t count;
  struct event first; /* of all of them, as it will be there */
  struct event last;  /* the later one, as it will be there */
  bool is_guess;      /* what `last` will be is not known: it may touch less than it says, or be something else */
};

/* `later` is the later step, or the length for a pending operation; `event` is its event. False: it cannot be, or
 * another race of the event takes care of it. */
bool order_reverse(struct order *order, const struct race *race, uint32_t later, const struct event *event,
                   struct reversal_steps *reversal);

/* Puts the steps of the reversal that happen before `later` in front of the others, each in their order, and returns
 * how many these are. A choice that a thread makes on its own stays right after its step before. */
size_t order_bring_forward(struct order *order, struct reversal_steps *reversal, uint32_t later);

/* How many threads have arrived, before this step, in the round of the barrier that is open there. */
uint64_t order_arrived_before(const struct order *order, uint32_t step, const struct event *arrival);

/* Could `first`, performed where the reversal begins, be moved before all of it? It can if it commutes with
 * everything before the first step of its own thread. */
bool order_is_weak_initial(const struct order *order, const struct event *first, const struct reversal_steps *reversal);

#endif
