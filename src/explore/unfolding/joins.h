/* SPDX-License-Identifier: MIT
 *
 * Which joins need no exploring. What comes after a join depends on the whole lives of the joined threads, so joins
 * are events, and each combination of ends is explored. When a thread only joins others and then ends, exploring them
 * may be needless: docs/algorithms/unfolding.md, "Joins", says when. The runs teach which; when that turns out to be
 * wrong, the unfolding has to be built again.
 */
#ifndef HEDDLE_EXPLORE_UNFOLDING_JOINS_H
#define HEDDLE_EXPLORE_UNFOLDING_JOINS_H

#include "base/memory.h"
#include "trace/trace.h"

#include <stdbool.h>

struct thread_joins {
  bool is_main;       /* others may be joined themselves, so that their ends count */
  bool matters;       /* its joins are explored */
  bool was_barren;    /* some run's were not */
  bool sees;          /* in such a run it looked at what one thread left behind */
  bool was_cut;       /* some run ended while it waited in a join */
  bool has_history;   /* in the current run: it has steps, decisions or joins before the last joins */
  bool ends, waits;   /* in the current run: it has ended, it waits in a join */
  uint32_t n_seen;    /* in the current run: of the last joins */
  uint32_t last_join; /* in the current run: 1 + the event from which on it only joins; 0 none */
};

struct joins {
  VECTOR(struct thread_joins) threads;
  VECTOR(uint32_t) places; /* of the current run's events that are joins */
};

void joins_free(struct joins *joins);
/* False: what earlier runs taught was wrong. */
bool joins_read(struct joins *joins, const struct trace_view *trace);
/* In the run that was read: does the thread only join and end from this event on, and does that need no exploring? */
bool joins_are_barren(const struct joins *joins, const struct trace_view *trace, const struct event *event);

#endif
