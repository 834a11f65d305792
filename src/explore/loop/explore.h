/* SPDX-License-Identifier: MIT
 *
 * The exploration of one program: learning runs, then a strategy's targets turned into plans, and traces back to it,
 * until nothing is left, a limit is reached, or a bug is found.
 */
#ifndef HEDDLE_EXPLORE_LOOP_EXPLORE_H
#define HEDDLE_EXPLORE_LOOP_EXPLORE_H

#include "explore/loop/observer.h"
#include "explore/strategy/strategy.h"

#include <signal.h>

struct explore_settings {
  struct executor_settings executor;
  const struct strategy *strategy;
  void *own; /* strategy_settings */
  uint64_t seed;
  uint64_t max_runs;  /* NO_LIMIT: the strategy's own limit */
  double max_seconds; /* 0: none */
  const uint8_t *is_branch_side;
  bool check_once;                          /* sequences.h */
  uint32_t solver_timeout_milliseconds;     /* of Z3, per query */
  uint32_t max_address_targets;             /* how many values of one address that depends on inputs are explored */
  bool check_solver;                        /* evaluate every solution, and ask Z3 about every cheap answer */
  uint32_t minimise_runs;                   /* at most, to make the schedule of a bug simpler */
  uint64_t sought;                          /* the outcomes that count as bugs, bit by bit; others are only noted */
  uint64_t ends_search;                     /* those of them at which the exploration stops */
  bool keep_going;                          /* past some findings at least */
  struct journal *journal;                  /* where the exploration is saved, and continues from; NULL: nowhere */
  const volatile sig_atomic_t *interrupted; /* not 0: end soon, with what is there */
};

struct explore_result {
  bool complete, found_bug;
};

/* False: the program cannot be run. The observers are told everything else. */
bool explore(const struct explore_settings *settings, const struct observer *observers, size_t n_observers,
             struct explore_result *result, struct error *error);

#endif
