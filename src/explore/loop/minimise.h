/* SPDX-License-Identifier: MIT
 *
 * Making a finding simpler: the same bug with fewer context switches, then with fewer steps, then with inputs that are
 * 0 or small. The search yields candidates, one at a time, and absorbs the traces of their runs; somebody else runs
 * them. What it comes to depends on nothing but the finding, max_runs and the traces.
 */
#ifndef HEDDLE_EXPLORE_LOOP_MINIMISE_H
#define HEDDLE_EXPLORE_LOOP_MINIMISE_H

#include "explore/loop/findings.h"

struct minimiser;

/* A run to be tried: its plan is lenient, and continues without switches after the schedule. Both lists belong to the
 * minimiser and are valid until its next call. */
struct candidate {
  const struct schedule *schedule;
  const input_values *inputs;
};

/* The finding was repeated, and stays as it is until the minimiser is destroyed. At most `max_runs` candidates. */
struct minimiser *minimiser_create(const struct finding *finding, uint32_t max_runs);
void minimiser_destroy(struct minimiser *minimiser);
/* False: the search is over. */
bool minimiser_next(struct minimiser *minimiser, struct candidate *candidate);
/* The trace of the last candidate's run. */
void minimiser_absorb(struct minimiser *minimiser, const struct trace_view *trace);
/* The next candidate needs a new process, which takes its time: the search may try fewer runs. */
void minimiser_count_new_process(struct minimiser *minimiser);
/* The best run so far, and how many steps it took. False: the finding's own run is not a worse. */
bool minimiser_best(const struct minimiser *minimiser, struct candidate *best, uint32_t *steps);

#endif
