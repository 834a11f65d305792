/* SPDX-License-Identifier: MIT
 *
 * The SYN-sequence of a trace, and how a variant of it is run again: which steps a plan begins with, and which threads
 * then have to wait because a receiving event without a partner must not take what is old (section 7.3 of the paper).
 *
 * Coming to an operation is the call, performing it is its completion on the operation's object. What each operation of
 * the runtime is in the model stands in docs/algorithms/reachability.md.
 */
#ifndef HEDDLE_EXPLORE_REACHABILITY_SYN_RUN_H
#define HEDDLE_EXPLORE_REACHABILITY_SYN_RUN_H

#include "explore/reachability/syn.h"
#include "explore/reachability/syn_objects.h"

/* A step of the run, or an operation that a thread stood before in the end. */
struct syn_op {
  thread_id thread;
  uint16_t alternative;
  uint8_t kind;
  bool was_taken;
  bool is_unsure;   /* its OpenLists do not say whether it could be completed: the set of enabled threads may */
  syn_id call;      /* SEND, or SYN_NONE */
  syn_id receive;   /* COMPLETE, RECEIVE, READ, or SYN_NONE */
  syn_id choice;    /* CHOICE, or SYN_NONE */
  uint32_t arrived; /* how many steps the run had taken when the thread stood before it */
  uint32_t event;   /* in the trace */
  uint64_t object;  /* of the event: the port of a send or receive */
  uint64_t enabled; /* threads 0 to 63 that could move */
};

/* A decision about inputs: a CHOICE. */
struct syn_decision {
  syn_id event;
  uint32_t place; /* in the trace's decisions */
};

struct syn_run {
  struct syn syn;
  VECTOR(struct syn_op) ops;
  VECTOR(struct syn_decision) decisions;
  VECTOR(uint32_t) groups; /* per object of syn */
  VECTOR(uint32_t) op_of;  /* per event: its operation, or UINT32_MAX */
};

/* What of a sequence was in the variant that the run was made for: everything up to a number on each thread and on each
 * object; and which of it is black. Missing entries are 0. */
struct syn_slots {
  uint32_t group, count;
  uint32_t n_kept; /* of them, with the partner they had in the sequence */
};
struct syn_past {
  VECTOR(uint32_t) old, black;    /* per thread */
  VECTOR(struct syn_slots) slots; /* per object that has any */
};
void syn_past_free(struct syn_past *past);

/* ways[i]: how many sides the i-th decision of the trace has, 0: it is not an event. NULL: there are none. */
void syn_run_build(struct syn_run *run, const struct syn_objects *objects, const struct trace_view *trace,
                   const uint16_t *ways, const struct syn_past *past);
void syn_run_free(struct syn_run *run);

/* Leaves out of a race set what the OpenList does not know, but the run showed not to be possible. A race_filter whose
 * context is the run. */
bool syn_run_is_possible(const struct syn_run *run, syn_id receive, uint32_t partner);

/* How a variant is run. */
struct syn_plan {
  struct schedule steps;
  event_list waits; /* abi/channel.h: PLAN_WAITS */
  bool may_stop;    /* it is not sure that all steps can be taken */
  struct syn_past past;
  /* for working */
  VECTOR(uint32_t) order;
  VECTOR(uint8_t) is_listed;
};

/* False: no run can begin so. */
bool syn_plan_make(struct syn_plan *plan, const struct syn_run *run, const struct syn_variant *variant,
                   const struct syn_objects *objects);
void syn_plan_free(struct syn_plan *plan);

/* The same for equal sequences (Definition 2), whatever their order was in the run. `sides` are numbers for the sides
 * that the trace's decisions took, or NULL. */
void syn_run_signature(const struct syn_run *run, const uint32_t *sides, uint64_t signature[2]);

#endif
