/* SPDX-License-Identifier: MIT
 *
 * The state of one exploration, shared by the files that carry it out: explore.c (the loop), judge.c (what a trace
 * means), verdicts.c (examining what failed), looks.c (what failing runs keep from being seen), paths.c (what its
 * decisions mean), tell.c (the observers, and when to stop) and state.c (how it is saved).
 */
#ifndef HEDDLE_EXPLORE_LOOP_INTERNAL_H
#define HEDDLE_EXPLORE_LOOP_INTERNAL_H

#include "base/number_set.h"
#include "explore/executor/pool.h"
#include "explore/inputs/generations.h"
#include "explore/loop/explore.h"
#include "explore/reachability/sequences.h"

#define MAX_WINDOW 256

struct exploration;

/* An outstanding ticket of the exploration's lane, and who takes its replies. */
struct flight {
  void (*take)(struct exploration *self, const struct flight *flight, const struct reply *reply);
  void *cookie;
  uint64_t runs;
  uint32_t record_from;
  uint32_t failing; /* of a look, as there */
};

/* A run besides those of the strategy: for what is touched after the schedule, or for the failure of a thread that
 * another one hides. */
struct look {
  struct schedule schedule;
  input_values inputs;
  uint64_t seed;
  uint32_t seen;    /* struct plan */
  uint32_t failing; /* 1 + the thread that is to fail, 0: it is about touches */
};

/* Knuth's estimate of the size of the tree of all runs: the mean over random runs of the product of how many ways there
 * were at every step. */
struct estimate {
  double sum;
  uint64_t runs;
};

/* What the observers are told, or will be: a warning, a reason why the result is incomplete, or (neither) how the first
 * examination ends. */
struct notice {
  char *warning;
  enum reason reason;
};

struct exploration {
  const struct explore_settings *settings;
  const struct observer *observers;
  size_t n_observers;
  struct pool *pool;
  struct lane *lane; /* of the learning runs, the strategy's and the looks */
  struct findings findings;
  VECTOR(struct notice) notices;       /* that wait for an examination, which is the first of them */
  struct executor_settings repetition; /* how findings are repeated */
  struct knowledge *known;             /* when the strategy started */
  enum isolation isolation;
  void *strategy;
  struct target target;
  struct flight flights[MAX_WINDOW]; /* by ticket */
  uint64_t max_runs, submitted_runs; /* of this strategy's life */
  uint32_t expected_steps;
  uint64_t repeated_ticket;  /* 1 + the ticket of the plan that was repeated last, 0 none */
  bool repeated_as_diverged; /* ... because its run had left it, not because it had vanished */
  struct summary summary;
  VECTOR(char *) warnings;
  struct trace computing;   /* the head of the first trace that COMPUTES */
  uint64_t n_computing;     /* how many there were in all, those of learning runs too */
  enum reason reason;       /* why it is not complete */
  struct estimate estimate; /* from the learning runs since the shared set last grew */
  struct account account;   /* if has_account */
  bool has_account;
  double started_at, progress_at, stopped_at;
  struct deadline deadline; /* --max-time, and who interrupts */
  uint32_t replies_until_clock;
  uint64_t memory_at_start;    /* bytes that heddle itself had in use */
  uint64_t bytes_since_memory; /* of traces, since the memory was looked at */
  bool stop;                   /* no new runs */
  bool hurry;                  /* do not wait for those under way */
  bool restart;
  bool has_kept;       /* the strategy has gone on although more turned out to be shared */
  bool left_out;       /* TRACE_LEFT_OUT in some run of the strategy */
  bool asked_too_much; /* some run was TOO_MANY_INPUTS */
  bool held_back;      /* TRACE_HELD_BACK */
  VECTOR(struct look) looks;
  uint32_t first_failing; /* 1 + the thread that failed in the first run that did, 0: none has */
  bool several_fail;      /* different threads have failed, in different runs */
  struct inputs *inputs;
  struct syn_objects objects;
  struct sequences sequences; /* --check-once */
  struct number_set paths;    /* hashes of those that runs took */
  VECTOR(struct concretisation) concretised;
  struct solver_statistics solver;
  uint64_t divergences; /* of the strategy's, those that were told */
};

/* ---- tell.c ---- */
/* The first reason why the result is not complete counts. Reasons and warnings that come after a run that failed wait
 * until that is examined: everything is told as if every examination were over at once. */
void exploration_note_incomplete(struct exploration *self, enum reason reason);
/* Each warning is told once. */
void exploration_warn(struct exploration *self, const char *message);
void exploration_tell_bug(struct exploration *self, const struct finding *finding);
void exploration_tell_end(struct exploration *self);
/* The next examination is told about here. */
void exploration_expect_verdict(struct exploration *self);
/* The first examination is over: says what follows from it (NULL, REASON_NONE: nothing), then what waited for that. */
void exploration_tell_verdict(struct exploration *self, const char *warning, enum reason reason);
void exploration_forget_notices(struct exploration *self);
/* Asks the strategy for its account, once. */
void exploration_take_account(struct exploration *self);
/* No new runs from now on. */
void exploration_stop(struct exploration *self, enum reason reason);
/* Time limits, Ctrl-C, and the progress line. */
void exploration_look_at_clock(struct exploration *self);
/* What the exploration keeps: to be called before it, and after every reply. */
void exploration_start_watching_memory(struct exploration *self);
/* Ends the exploration when what it keeps has outgrown --max-memory. */
void exploration_check_memory(struct exploration *self);
void exploration_look_at_memory(struct exploration *self, const struct reply *reply);

void exploration_tell_path(struct exploration *self, const struct trace_view *trace);

/* Tells the observers about bugs and warnings that are known already. */
void exploration_tell_again(struct exploration *self);

/* ---- explore.c ---- */
void exploration_create_strategy(struct exploration *self);
/* A reply to a target of the strategy. */
void exploration_take_target(struct exploration *self, const struct flight *flight, const struct reply *reply);

/* ---- state.c ---- */
/* Writes the state of the exploration, if it is to be saved and the time has come. */
void exploration_save_state(struct exploration *self);
/* Puts an exploration that has not begun into this state. */
bool exploration_load_state(struct exploration *self, const struct text *text, struct error *error);

/* ---- paths.c ---- */
/* The path of a run, NULL: it has no inputs. A new one is told, and places where values were made concrete are counted.
 */
const struct path *exploration_read_path(struct exploration *self, const struct trace_view *trace);
/* Fills in what the summary says about inputs. */
void exploration_summarise_inputs(struct exploration *self);
/* Why the inputs leave the result incomplete. */
void exploration_note_inputs(struct exploration *self, const struct strategy_stats *stats);

/* ---- estimate.c ---- */
void estimate_add_run(struct estimate *estimate, const struct trace_view *trace);
/* Fills in what the summary says about how much there is. */
void exploration_summarise_estimates(struct exploration *self, const struct strategy_stats *stats);

/* ---- judge.c ---- */
void exploration_count_runs(struct exploration *self, const struct reply *reply);
/* A run that was cut because it computed for too long: when there are many, they are not worth their time. */
void exploration_note_computing(struct exploration *self, const struct reply *reply);
/* Findings, warnings, and what makes the result incomplete. */
void exploration_judge(struct exploration *self, const struct reply *reply);
void exploration_note_divergence(struct exploration *self);
bool exploration_has_diverged(const struct reply *reply);
bool exploration_deserves_repetition(const struct exploration *self, const struct reply *reply);
/* Did the run show that more is shared, or that runs need fork? Then what was explored is about another program. */
bool exploration_has_learned(const struct exploration *self, const struct reply *reply);
/* The result is incomplete if something has written over what all runs have in common. */
void exploration_check_knowledge(struct exploration *self);
/* What is known when runs begin, and going back to it. */
void exploration_remember_knowledge(struct exploration *self);
void exploration_restore_knowledge(struct exploration *self);

/* ---- verdicts.c ---- */
/* Examines a run that failed, while the exploration continues. If the first bug ends it, that waits for the answer. */
void exploration_examine(struct exploration *self, const struct reply *reply);
bool exploration_is_examining(const struct exploration *self);
/* Is there a finding with one of these outcomes? */
bool exploration_has_found(const struct exploration *self, uint64_t outcomes);
/* To be called now and then: starts what can be, gives up when the time is over. */
void exploration_look_at_examination(struct exploration *self);
/* A reply of another lane than the exploration's, or the news that the program cannot be run there. */
void exploration_take_examined(struct exploration *self, enum reception reception, const struct reply *reply);
/* Waits until nothing is examined any more. */
void exploration_settle(struct exploration *self);

/* ---- looks.c ---- */
/* To be called for every run of the strategy that ended a plan. */
void exploration_note_failure(struct exploration *self, const struct reply *reply);
/* Submits the looks there are room for. */
void exploration_submit_looks(struct exploration *self);
void exploration_forget_looks(struct exploration *self);
/* A reply to a look. */
void exploration_take_look(struct exploration *self, const struct flight *look, const struct reply *reply);

#endif
