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
  const struct knowledge *knowledge; /* as of the last trace; NULL: `keep` will not be called */
  uint32_t expected_steps;           /* the most visible operations seen in a run while learning */
  uint32_t max_events;               /* no prefix may be longer */
  bool races_are_bugs;               /* a run ends with its first data race */
  bool joins_twins;                  /* of threads that are the same, the one with the lower id goes first */
  const uint8_t *is_branch_side;     /* by coverage byte; NULL: not known */
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
  void *cookie;  /* comes back with the trace */
  bool is_probe; /* the run does not count: it shows the strategy more of one that was made before */
  /* Of the plan's `runs` the caller may make fewer: absorb is told how many were made. Whoever runs the plan fills in
   * its size, counts, check, ticket and max_events. */
  struct plan plan;
};

/* The run has these values of inputs, which the caller held; NULL: none. */
void target_add_values(struct target *target, struct inputs *inputs, struct values *values);
/* One run, which after its prefix stays with a thread while that can move. */
void target_go_on(struct target *target, uint64_t seed, void *cookie);

/* When a run shows that more memory is shared than was known: what remains of what was explored? */
enum keeping {
  KEEPS_NOTHING,  /* the strategy has to start again */
  KEEPS_BUT_THIS, /* everything else, and the target of that run will be yielded once more */
  KEEPS_ALL,      /* the run counts as well, and is absorbed */
};

struct strategy_stats {
  uint64_t events;         /* size of the structure explored */
  uint64_t blocked_runs;   /* runs that were in vain */
  uint64_t left;           /* pieces of work known to be left */
  bool bounded;            /* something was left out because of a bound: `account` says which */
  bool makes_all;          /* it makes one run of every interleaving: estimates of how many there are hold for it */
  uint64_t divergences;    /* runs that did not decide as their inputs should have made them */
  bool unsolved;           /* the solver could not say whether there is a path */
  bool made_concrete;      /* a value that could have been another was made concrete */
  bool addresses_left;     /* an address has more values than were explored */
  bool hidden;             /* a run that failed was cut short, or failed twice: what others do then was not seen */
  bool lost;               /* a run ended without saying what it decided */
  bool stale;              /* `keep` has promised too much: the strategy has to start again */
  const char *defect;      /* of heddle, in words; NULL: none */
  const uint8_t *coverage; /* bytes, in place of those of all runs; NULL: those */
};

struct strategy {
  const char *name, *help;
  uint32_t window;           /* how many targets may be under way */
  uint64_t default_max_runs; /* NO_LIMIT for strategies that end by themselves */
  bool learns_quietly;       /* learning runs have symbolic reads, and what they find is left to the strategy */
  bool needs_objects;        /* strategy_settings.objects; records whole runs */
  bool spins;                /* needs the reads of loops that wait for a value, also those that do not end them */
  bool explores_inputs;      /* otherwise all inputs are 0 in all its runs */

  const char *const *options;        /* names of those it takes, ends with NULL; NULL: none */
  const char *implied_by;            /* an option that asks for this strategy when none is named; NULL: none */
  const struct strategy *with_bound; /* takes its place with --max-preemptions; NULL: none */
  size_t settings_bytes;             /* of its own settings */
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
  /* The whole trace of a run that was not made for it: false, if all of it was known. NULL: it learns nothing so. */
  bool (*watch)(void *self, const struct trace_view *trace);
  /* In place of absorb, when the run showed that more memory is shared, as of this version of the knowledge. Until then
   * nobody knew, so no run that was absorbed had two threads in conflict there. Traces that are absorbed from now on
   * are of runs that know of it; their plans have said which version their steps are of (struct plan, seen). *n_void is
   * 0, or becomes the number of runs that will have to be made again besides. NULL: nothing is ever kept. */
  enum keeping (*keep)(void *self, void *cookie, uint64_t version, uint64_t *n_void);
  void (*stats)(const void *self, struct strategy_stats *stats);
  /* Estimated part of the work that is done, 0 to 1; 0: cannot say. May take as long as a run. NULL: it never can. */
  double (*part_done)(const void *self);
  /* What it has to say besides, once, at the end. NULL: nothing. */
  void (*account)(const void *self, struct account *account);
  /* Of a strategy that others are parts of: the name of the one whose runs are under way. NULL: it has no parts. */
  const char *(*part)(const void *self);
  /* The unfolding explored so far; NULL: the strategy makes none. */
  const struct net *(*net)(const void *self);

  /* Is there a written form of its present state? Otherwise the replies stay its written form for now. NULL: always. */
  bool (*can_save)(const void *self);
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
/* 0: it cannot say. */
double strategy_part_done(const struct strategy *strategy, const void *self);
/* The i-th of strategies.def, NULL after the last. */
const struct strategy *strategy_at(unsigned i);

#endif
