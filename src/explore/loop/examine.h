/* SPDX-License-Identifier: MIT
 *
 * The examination of a run that failed, before it counts as a finding: it is repeated, it must fail in the same way
 * again, and then its schedule and inputs are made simpler (minimise.h). If more is known to be shared by now, the
 * schedule is put into those terms before that (translate.h). Every run that this takes is a ticket of a pool; between
 * tickets an examination waits for nobody, so that the exploration continues meanwhile:
 *
 *     created --start--> repeating --absorb--> ... --> [translating -->] minimising --absorb--> ... --> over
 */
#ifndef HEDDLE_EXPLORE_LOOP_EXAMINE_H
#define HEDDLE_EXPLORE_LOOP_EXAMINE_H

#include "explore/executor/pool.h"
#include "explore/loop/findings.h"

struct examination;

struct examination_settings {
  struct pool *pool;
  const struct executor_settings *executor;
  enum isolation isolation; /* in place of the executor's */
  uint32_t minimise_runs;
};

/* The finding belongs to the examination from now on; its knowledge is what its run began with. `reply` is the run that
 * showed it, `now` what is known at present: that is tried as well. */
struct examination *examination_create(const struct examination_settings *settings, struct finding *finding,
                                       const struct reply *reply, const struct knowledge *now);
void examination_destroy(struct examination *examination);
/* Submits the first plan. */
void examination_start(struct examination *examination);
/* The lane its outstanding ticket is in; NULL: it has not begun, or it is over. */
struct lane *examination_lane(const struct examination *examination);
/* The last reply of the outstanding ticket. */
void examination_absorb(struct examination *examination, const struct reply *reply);
/* The program cannot be run there. */
void examination_fail(struct examination *examination);
/* The deadline is over: no more runs. */
void examination_give_up(struct examination *examination);
/* It has failed again, so that it will be a finding. */
bool examination_has_confirmed(const struct examination *examination);
bool examination_is_over(const struct examination *examination);
/* Does the run show the same bug? Then it is counted with it. */
bool examination_takes_run(struct examination *examination, const struct trace_view *view);
/* To be called once, when it is over. The finding, or the trace of what was lost, is the caller's. */
enum finding_result examination_take_result(struct examination *examination, struct finding **finding,
                                            struct trace **lost, struct text *words);
/* Which part of the strategy showed it: a constant. */
void examination_note_part(struct examination *examination, const char *part);
/* Which learning run showed it, 0: none. */
void examination_note_learning_run(struct examination *examination, uint64_t learning_run);

#endif
