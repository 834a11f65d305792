/* SPDX-License-Identifier: MIT
 *
 * What every exploration algorithm looks like from outside. A strategy yields targets (how a run shall begin and go on)
 * and absorbs the traces of the runs made for them. Many targets may be under way at once. Nothing else in the program
 * knows which strategy is at work.
 *
 * A file exports one constant table; strategies.def lists them.
 */
#ifndef HEDDLE_EXPLORE_STRATEGY_STRATEGY_H
#define HEDDLE_EXPLORE_STRATEGY_STRATEGY_H

#include "base/deadline.h"
#include "explore/inputs/inputs.h"
#include "explore/strategy/account.h"

#include <stdbool.h>
#include <stdint.h>

#define NO_LIMIT UINT64_MAX

/* con2colic: what it does without, for measurements. */
enum without { WITHOUT_UNSAT_CORES = 1, WITHOUT_DUPLICATES = 2, WITHOUT_PRIORITY = 4 };

/* What reachability testing may leave out. */
struct reduction_settings {
  bool pv, symmetry, order;
  uint64_t label; /* order: label_hash() of the receives whose order does not matter */
};

struct strategy_settings {
  uint64_t seed;
  uint64_t max_preemptions; /* NO_LIMIT: no bound */
  uint32_t depth;           /* PCT's d */
  bool takes_first;         /* behind its prefix a run stays with a thread while it can, instead of drawing */
  bool no_deadlock_search;  /* unfoldings are not searched for deadlocks that no run has shown */
  uint32_t expected_steps;  /* the most visible operations seen in a run while learning */
  bool keeps_memo;          /* the result will be asked for its net (`net` below), with memo.h */
  uint32_t max_events;      /* no prefix may be longer */
  /* con2colic */
  uint32_t max_interferences;
  uint64_t max_scenarios;
  uint32_t without;              /* enum without, or-ed */
  bool z3_orders, checks_orders; /* orders in time by Z3; by both, compared */
  bool races_are_bugs;
  const uint8_t *is_branch_side; /* by coverage byte; NULL: not known */
  uint32_t coverage_bytes;
  bool check_extensions; /* unfoldings: look for them naively too */
  /* reachability */
  struct reduction_settings reductions;
  struct syn_objects *objects; /* learned from all traces; NULL unless the strategy needs them */
  struct inputs *inputs;       /* NULL: there are no inputs */
  /* `next` and `absorb` ask it where they work long, and return when it is over, with whatever is done: nothing more is
   * asked of the strategy but its statistics. NULL: there is none. */
  struct deadline *deadline;
};

/* What shall be run: a plan, whose lists are apart from it. `prefix` are its steps; `sleepers` are who sleeps where the
 * last of them is taken, or with PLAN_WAITS what threads wait for (plan_sleepers()). The lists belong to the caller,
 * who has emptied them. */
struct target {
  struct schedule prefix;
  input_values inputs;
  event_list sleepers;
  void *cookie; /* comes back with the trace */
  /* Of the plan's `runs` the caller may make fewer: absorb is told how many were made. Whoever runs the plan fills in
   * its size, counts, check, ticket and max_events. */
  struct plan plan;
};

struct strategy_stats {
  uint64_t events;         /* size of the structure explored */
  uint64_t blocked_runs;   /* runs that were in vain */
  uint64_t left;           /* pieces of work known to be left */
  bool bounded;            /* something was left out because of a bound: `account` says which */
  bool makes_all;          /* it makes one run of every interleaving: estimates of how many there are hold for it */
  double done;             /* estimated part of the work that is done, 0 to 1; 0: cannot say */
  uint64_t divergences;    /* runs that did not decide as their inputs should have made them */
  bool unsolved;           /* the solver could not say whether there is a path */
  bool made_concrete;      /* a value that could have been another was made concrete */
  bool addresses_left;     /* an address has more values than were explored */
  bool hidden;             /* a run that failed was cut short, or failed twice: what others do then was not seen */
  bool lost;               /* a run ended without saying what it decided */
  const char *defect;      /* of heddle, in words; NULL: none */
  const uint8_t *coverage; /* bytes, in place of those of all runs; NULL: those */
};

struct strategy {
  const char *name, *help;
  uint32_t window;           /* how many targets may be under way */
  uint64_t default_max_runs; /* NO_LIMIT for strategies that end by themselves */
  bool learns_quietly;       /* learning runs have symbolic reads, and what they find is left to the strategy */
  bool needs_objects;        /* strategy_settings.objects; records whole runs */
  bool explores_inputs;      /* otherwise all inputs are 0 in all its runs */

  void *(*create)(const struct strategy_settings *settings);
  void (*destroy)(void *self);
  /* False: nothing to run now. When nothing is under way either and stats says that nothing is left, the exploration
   * has ended. */
  bool (*next)(void *self, struct target *target);
  /* The last trace of the target with this cookie, and its path through the decisions about inputs (NULL: it has no
   * inputs); `runs` is how many runs were made for the target. */
  void (*absorb)(void *self, void *cookie, const struct trace_view *trace, const struct path *path, uint64_t runs);
  void (*stats)(const void *self, struct strategy_stats *stats);
  /* What it has to say besides, once, at the end. NULL: nothing. */
  void (*account)(const void *self, struct account *account);
  /* The unfolding explored so far; NULL: the strategy makes none. */
  const struct net *(*net)(const void *self);
};

#define STRATEGY(name) extern const struct strategy strategy_##name;
#include "explore/strategy/strategies.def"
#undef STRATEGY

/* NULL: no strategy has this name. */
const struct strategy *strategy_find(const char *name);
/* The i-th of strategies.def, NULL behind the last. */
const struct strategy *strategy_at(unsigned i);

#endif
