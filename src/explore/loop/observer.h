/* SPDX-License-Identifier: MIT
 *
 * Who wants to know how an exploration goes: reports implement this, the exploration calls it.
 */
#ifndef HEDDLE_EXPLORE_LOOP_OBSERVER_H
#define HEDDLE_EXPLORE_LOOP_OBSERVER_H

#include "base/memory.h"
#include "explore/loop/findings.h"
#include "explore/strategy/account.h"
#include "solve/solver.h"

/* A place where a value that depends on inputs was made concrete. */
struct concretisation {
  site_id site;
  enum pin_reason why;
  uint64_t times; /* in all runs whose traces were seen */
};

/* What is known so far, or at the end. The pointers belong to the exploration and are valid during the call. */
struct summary {
  const char *strategy;
  const char *part; /* of the strategy, that was at work in the end; NULL: it has none */
  uint64_t seed;
  uint64_t runs;          /* of the exploration that stands */
  uint64_t learning_runs; /* before it: to learn what is shared */
  uint64_t blocked_runs, deadlocked_runs, truncated_runs, discarded_runs, divergences;
  uint64_t unfair_rounds;        /* of loops, that were left out because they change nothing */
  uint64_t computing_runs;       /* of the truncated ones: cut after --hang-time without a visible operation */
  const struct trace *computing; /* the first run, also a learning run, that was; NULL: none */
  uint64_t events;               /* as in struct strategy_stats */
  uint64_t visible_operations, threads, left;
  uint64_t sequences; /* --check-once: different SYN-sequences of the runs */
  double seconds;
  uint64_t peak_rss_kb;     /* of heddle and the largest process of the program; only at the end */
  bool learning;            /* still in the learning runs */
  bool complete;            /* everything there is was explored */
  enum reason reason;       /* the first one why it is not complete */
  bool samples;             /* the strategy draws runs, and never ends by itself */
  double all_interleavings; /* estimate of how many there are, 0: cannot say; INFINITY: no bound is known */
  double all_runs;          /* the same of the runs that this strategy needs */
  double estimated_runs;    /* that the strategy will have made in the end, 0: cannot say */
  uint64_t inputs;          /* the most inputs of a run: 0 = nothing is symbolic */
  uint64_t paths;           /* distinct ways through the program's decisions that runs took */
  const struct solver_statistics *solver;   /* NULL: nothing was solved */
  const struct concretisation *concretised; /* by site, then reason */
  size_t n_concretised;
  const struct findings *findings;
  uint64_t sought; /* the outcomes that count as bugs; findings with another one are only noted */
  const char *const *warnings;
  size_t n_warnings;
  const struct net *net; /* the unfolding, only at the end; NULL: the strategy makes none */
  struct inputs *terms;  /* that its constraints and values are of */
  const struct knowledge *knowledge;
  const struct observations *observations;
  const struct account *account; /* what the strategy says besides; nothing before the end */
  const uint8_t *coverage;
  uint32_t coverage_bytes;
};

/* Any function may be NULL. */
struct observer {
  void *self;
  void (*progress)(void *self, const struct summary *summary); /* some ten times a second */
  void (*bug)(void *self, const struct finding *finding);      /* when it is found, once per distinct bug */
  /* A run that took a path through the program's decisions that no run before took; its trace has the inputs. */
  void (*path)(void *self, const struct trace_view *trace);
  void (*warning)(void *self, const char *message);
  void (*end)(void *self, const struct summary *summary);
};

#endif
