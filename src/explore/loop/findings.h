/* SPDX-License-Identifier: MIT
 *
 * What was found. Runs that fail in the same way at the same place are one finding. Before a finding counts, it is
 * examined (examine.h): its run is repeated in a fresh process and must fail in the same way again. The trace of that
 * repetition, which is complete, is what reports show.
 */
#ifndef HEDDLE_EXPLORE_LOOP_FINDINGS_H
#define HEDDLE_EXPLORE_LOOP_FINDINGS_H

#include "base/text.h"
#include "explore/executor/executor.h"

struct finding {
  uint32_t number; /* from 1, in the order of discovery */
  uint64_t runs;   /* that ended with it */
  uint64_t seed;
  enum policy policy; /* after the schedule, should the run continue */
  uint32_t priority_changes, expected_steps;
  uint32_t found_steps, found_switches; /* of the run that showed it, before minimisation */
  const char *part;      /* the part of the strategy that found it; NULL: it has none, or while learning */
  uint64_t learning_run; /* found in this learning run; 0: while exploring */
  struct schedule schedule;
  input_values inputs;  /* those that are not 0 */
  bool random_inputs;   /* the others are drawn from the seed: the run vanished and has not said what it had */
  struct trace *record; /* the whole run, with heap blocks */
  struct trace_view trace;
  struct text output;          /* of the program */
  struct knowledge *knowledge; /* names of its threads, and the shared locations that were known when it began */
};

struct findings {
  struct pool *pool; /* where runs are repeated */
  const struct executor_settings *settings;
  uint32_t minimise_runs; /* at most, to make a schedule simpler (minimise.h) */
  VECTOR(struct finding *) list;
  VECTOR(struct trace *) lost;           /* failures that did not happen again, one of each */
  VECTOR(struct examination *) examined; /* in the order of discovery; only the first one may have begun */
};

void findings_free(struct findings *findings);

/* `reply` ended with a bug. `known` is what was known when the run began, `now` what is known at present. Returns its
 * examination, which is the last of the list; NULL: this bug was found, lost, or is examined already. */
struct examination *findings_examine(struct findings *findings, const struct reply *reply, enum isolation isolation,
                                     const struct knowledge *known, const struct knowledge *now);

enum finding_result {
  FINDING_NEW,  /* the last of the list */
  FINDING_LOST, /* it did not happen again: `words` says how the repetition went */
  FINDING_LATE, /* the deadline was over before it could be repeated: `words` says so */
};

/* The first examination is over: it leaves the list of those, and what it found joins its own. */
enum finding_result findings_conclude(struct findings *findings, struct text *words);

/* Nothing is examined. */
void findings_write(const struct findings *findings, struct text *state);
/* False: nobody wrote that. */
bool findings_read(struct findings *findings, struct written *state);

/* Adds the steps of a run that failed, up to the one it failed in. */
void finding_append_schedule(struct schedule *schedule, const struct trace_view *view);
/* Repeats a run and fills in its trace and output. False: the program cannot be run. */
bool finding_repeat(struct finding *finding, const struct executor_settings *settings, struct error *error);
/* Gives an executor that has run nothing what the runs before the finding knew, and the plan that repeats it with its
 * output. */
void finding_submit(const struct finding *finding, struct executor *executor, uint32_t flags);
/* Two runs show one bug: the same outcome at the same place, whichever threads are in it. */
bool finding_same_bug(const struct trace_view *a, const struct trace_view *b);
/* The same outcome of the same thread at the same place, after as many steps? */
bool finding_same_failure(const struct trace_view *a, const struct trace_view *b);

void finding_free(struct finding *finding);

#endif
