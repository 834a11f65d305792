/* SPDX-License-Identifier: MIT
 *
 * What reachability testing may leave out of race sets because other sequences show the same (docs/algorithms/
 * reachability.md says why): races with a V of a counting semaphore that came first, races between threads that are
 * alike, the order in which marked receives take their messages.
 */
#ifndef HEDDLE_EXPLORE_REACHABILITY_REDUCTIONS_H
#define HEDDLE_EXPLORE_REACHABILITY_REDUCTIONS_H

#include "explore/reachability/syn_run.h"
#include "explore/strategy/strategy.h"

struct created {
  thread_id parent;
  uint64_t function, argument;
};

/* What reachability testing may leave out. */
struct reduction_settings {
  bool pv, symmetry, order;
  uint64_t label; /* order: label_hash() of the receives whose order does not matter */
};

struct reductions {
  struct reduction_settings settings;
  VECTOR(struct created) created; /* per thread of the trace that was read last */
  VECTOR(uint64_t) histories;     /* per operation of the run: a hash of what its thread had done and seen before */
  VECTOR(uint64_t) done;          /* per thread: the same of all its operations so far */
  VECTOR(uint32_t) unordered;     /* its receives that have the label, as places in it, ascending */
};

void reductions_free(struct reductions *reductions);
void reductions_read(struct reductions *reductions, const struct trace_view *trace, const struct syn_run *run);
bool reductions_leave_out(const struct reductions *reductions, const struct syn_run *run, syn_id receive,
                          uint32_t partner);

#endif
