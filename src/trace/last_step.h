/* SPDX-License-Identifier: MIT
 *
 * Runs that something cut short (a failed assertion or assumption, a crash, wrong use of a lock): their last step took
 * away what the other threads could still have done. Such a run may end in the middle of a step, before that is
 * recorded; then the step is made up, as EVENT_RUN_END of the thread that ended the run.
 */
#ifndef HEDDLE_TRACE_LAST_STEP_H
#define HEDDLE_TRACE_LAST_STEP_H

#include "trace/trace.h"

/* Did something other than a bound end the run before all threads had ended or could not move? */
bool run_was_cut_short(const struct trace_view *trace);

/* Room for a trace with its last step; zero to begin with. */
struct completed_trace {
  struct trace record;
  event_list events;
  VECTOR(uint64_t) words;
};

/* The trace, of a run whose events are all recorded, with the step it ended in: *view, in the room of `completed`,
 * until the next call. False: it lacks none. */
bool trace_complete(struct completed_trace *completed, const struct trace_view *trace, struct trace_view *view);
void completed_trace_free(struct completed_trace *completed);

#endif
