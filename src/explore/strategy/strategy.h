/* SPDX-License-Identifier: MIT
 *
 * What every exploration algorithm looks like from outside. A strategy yields targets (how a run shall begin and
 * continue) and absorbs the traces of the runs made for them. Many targets may be under way at once. Nothing else in
 * the program knows which strategy is at work.
 *
 * A file exports one constant table; strategies.def lists them.
 */
#ifndef HEDDLE_EXPLORE_STRATEGY_STRATEGY_H
#define HEDDLE_EXPLORE_STRATEGY_STRATEGY_H

#include "base/deadline.h"
#include "base/written.h"
#include "explore/inputs/inputs.h"
#include "explore/strategy/account.h"
#include "explore/strategy/options.h"

#include <stdbool.h>
#include <stdint.h>

#define NO_LIMIT UINT64_MAX

struct strategy_settings {
  uint64_t seed;
  uint32_t expected_steps;       /* the most visible operations seen in a run while learning */
  uint32_t max_events;           /* no prefix may be longer */
  bool races_are_bugs;           /* a run ends with its first data race */
  const uint8_t *is_branch_side; /* by coverage byte; NULL: not known */
  uint32_t coverage_bytes;
  struct syn_objects *objects; /* learned from all traces; NULL unless the strategy needs them */
  struct inputs *inputs;       /* NULL: there are no inputs */
  /* `next` and `absorb` ask it where they work long, and return when it is over, with whatever is done: nothing more is
   * asked of the strategy but its statistics. NULL: there is none. */
  struct deadline *deadline;
  bool is_saved;   /* what is explored must not depend on when replies come, and `save` may be asked for */
  const void *own; /* what `configure` has made of the strategy's options; NULL: as without options */
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
  bool uses_symmetry;        /* unless told otherwise, threads that are the same are explored once (--symmetry) */

  const char *const *options; /* names of those it takes, ends with NULL; NULL: none */
  const char *implied_by;     /* an option that asks for this strategy when none is named; NULL: none */
  size_t settings_bytes;      /* of its own settings */
  /* Fills in its own settings, which are zeroed. */
  bool (*configure)(void *own, const struct option_source *source, struct error *error);

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
  /* Of a strategy that others are parts of: the name of the one whose runs are under way. NULL: it has no parts. */
  const char *(*part)(const void *self);
  /* The unfolding explored so far; NULL: the strategy makes none. */
  const struct net *(*net)(const void *self);

  /* Writes its state: all that decides what comes next, and which of the runs under way have these cookies. Only for
   * programs without inputs: what a solver answers depends on all that it was asked before. A subtree that somebody
   * else is to explore has the same form: the path to its root, and what is left to do below. NULL: its state is a
   * structure made of all its traces, and they are the written form of it (explore/executor/journal.h). */
  void (*save)(const void *self, void *const *cookies, size_t n_cookies, struct text *state);
  /* Reads it again, into a strategy that was just created with the same settings, and fills in the cookies. False: no
   * `save` wrote that, whatever the bytes are; then nothing but `destroy` may be called. */
  bool (*load)(void *self, struct written *state, void **cookies, size_t n_cookies);
};

#define STRATEGY(name) extern const struct strategy strategy_##name;
#include "explore/strategy/strategies.def"
#undef STRATEGY

/* NULL: no strategy has this name. */
const struct strategy *strategy_find(const char *name);
bool strategy_takes(const struct strategy *strategy, const char *option);
/* The i-th of strategies.def, NULL after the last. */
const struct strategy *strategy_at(unsigned i);

#endif
