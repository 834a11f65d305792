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
  struct inputs *inputs;       /* has read the trace that `absorb` gets; NULL: there are no inputs */
  /* `next` and `absorb` ask it where they work long, and return when it is over, with whatever is done: nothing more is
   * asked of the strategy but its statistics. NULL: there is none. */
  struct deadline *deadline;
};

/* What shall be run. The fields are those of struct plan; `prefix`, `inputs` and `sleepers` belong to the caller, who
 * has emptied them. */
struct target {
  struct schedule prefix;
  input_values inputs;
  bool random_inputs;  /* those not in `inputs` are drawn from the seed; otherwise they are 0 */
  event_list sleepers; /* who sleeps where the last step of the prefix is taken: plan_sleepers() */
  enum policy policy;
  uint64_t seed;
  uint64_t runs; /* how many are wanted; the caller may run fewer: absorb is told how many were */
  uint32_t priority_changes, expected_steps;
  uint32_t record_from;
  bool waits;           /* `sleepers` are what threads wait for: PLAN_WAITS */
  bool late_end;        /* PLAN_LATE_END */
  bool may_stop;        /* not all steps of the prefix may be possible: PLAN_MAY_STOP */
  bool is_lenient;      /* steps of threads that cannot move are left out */
  bool tries_last_step; /* the last step of the prefix is left out if its thread cannot move */
  bool symbolic_reads;  /* PLAN_SYMBOLIC_READS */
  bool lists_accesses;  /* PLAN_ACCESSES */
  bool own_decisions;   /* PLAN_OWN_DECISIONS */
  bool is_conditional;  /* PLAN_CONDITIONAL: if the target before is not quiet, it comes to nothing: no absorb */
  bool is_solo;         /* PLAN_SOLO: behind the prefix only `solo` moves */
  thread_id solo;
  void *cookie; /* comes back with the trace */
};

struct strategy_stats {
  uint64_t events;          /* size of the structure explored */
  uint64_t thread_events;   /* of it besides: threads created, started, ended, joined; 0: not counted apart */
  uint64_t structure_bytes; /* memory it takes; 0: not known */
  double deadlock_seconds;  /* spent on looking for deadlocks in it */
  uint64_t blocked_runs;    /* runs that were in vain */
  uint64_t left;            /* pieces of work known to be left */
  bool cut_search;          /* the search for deadlocks was given up where it took too long */
  bool bounded;             /* something was left out because of a bound */
  double done;              /* estimated part of the work that is done, 0 to 1; 0: cannot say */
  uint64_t divergences;     /* runs that did not decide as their inputs should have made them */
  bool unsolved;            /* the solver could not say whether there is a path */
  bool made_concrete;       /* a value that could have been another was made concrete */
  bool addresses_left;      /* an address has more values than were explored */
  bool hidden;              /* a run that failed was cut short, or failed twice: what others do then was not seen */
  bool lost;                /* a run ended without saying what it decided */
  bool interferences_left;  /* scenarios of more than max_interferences */
  bool scenarios_left;      /* more than max_scenarios */
  const char *not_modelled; /* an operation whose meaning for other threads the strategy does not know; NULL: none */
  const char *undecided;    /* what may go wrong between threads and was neither found nor excluded; NULL: nothing */
  const char *defect;       /* of heddle, in words; NULL: none */
  const uint8_t *coverage;  /* bytes, in place of those of all runs; NULL: those */
  const struct con2colic_summary *con2colic; /* NULL: another strategy */
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
  /* The last trace of the target with this cookie; `runs` is how many runs were made for it. */
  void (*absorb)(void *self, void *cookie, const struct trace_view *trace, uint64_t runs);
  void (*stats)(const void *self, struct strategy_stats *stats);
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
