/* SPDX-License-Identifier: MIT
 *
 * How much there is. Two estimates:
 *
 * - Before: Knuth's (1975). A random run that has had d1, d2, ... ways to continue stands for d1 * d2 * ... runs; the
 *   mean over random runs is an unbiased estimate of how many there are. The learning runs are random runs.
 * - Meanwhile: a run made has the share 1 / (d1 * d2 * ...) of the tree; the shares of all runs add up to 1. After runs
 *   with the shares s in all, there are about runs / s. That is exact in the end, and useful once the runs made are
 * more than a corner of the tree.
 */
#include "explore/loop/internal.h"

#include "trace/tables.h"

#include <math.h>

#define ENOUGH_DONE 0.01 /* of the tree, to believe its shares */

static double ways_of(const struct trace_view *trace, const struct event *event) {
  const uint64_t *enabled = trace_enabled_set(trace, event);
  const size_t n_words = trace_enabled_words(trace, event);
  int count = 0;
  for (size_t i = 0; i < n_words; i++) count += __builtin_popcountll(enabled[i]);
  return (count > 0 ? count : 1) * (double)event->alternatives;
}

/* A run that did not come to its end says nothing about how many there are. */
static bool was_cut(const struct trace_view *trace) {
  return outcome_row(trace->record->outcome)->class == OUTCOME_BOUND;
}

void estimate_add_run(struct estimate *estimate, const struct trace_view *trace) {
  double product = was_cut(trace) ? INFINITY : 1;
  for (uint32_t i = 0; i < trace->record->n_events; i++)
    if (event_is_step(&trace->events[i])) product *= ways_of(trace, &trace->events[i]);
  estimate->sum += product;
  estimate->runs++;
}

/* With inputs how many ways there are is not known beforehand. */
static double estimate_before(const struct exploration *self) {
  if (self->estimate.runs == 0 || self->summary.inputs > 0) return 0;
  return self->estimate.sum / (double)self->estimate.runs;
}

/* Of this strategy: one that reduces, or has a bound, makes fewer. */
static double estimate_own(const struct exploration *self, const struct strategy_stats *stats) {
  return stats->makes_all ? estimate_before(self) : 0;
}

/* Decisions fork so unevenly that the shares of runs made say little about what is left. */
static double part_done(const struct exploration *self) {
  return self->summary.inputs > 0 ? 0 : strategy_part_done(self->settings->strategy, self->strategy);
}

/* Runs of the strategy in all, within its limit. */
static double estimate_runs(const struct exploration *self, const struct strategy_stats *stats, double done) {
  const double runs = (double)self->summary.runs, limit = self->max_runs == NO_LIMIT ? 0 : (double)self->max_runs;
  if (self->summary.samples) return limit;
  double all = self->summary.all_runs;
  if (all < runs + (double)stats->left) all = done > 0 ? runs + (double)stats->left : 0;
  return limit > 0 && limit < all ? limit : all;
}

/* What was cut short may be as large as you like, also while learning. */
static double estimate_all_runs(const struct exploration *self, const struct strategy_stats *stats, double done) {
  if (self->summary.truncated_runs > 0 || isinf(estimate_before(self))) return INFINITY;
  return done >= ENOUGH_DONE ? (double)self->summary.runs / done : estimate_own(self, stats);
}

void exploration_summarise_estimates(struct exploration *self, const struct strategy_stats *stats) {
  struct summary *summary = &self->summary;
  const double done = part_done(self);
  summary->samples = self->settings->strategy->default_max_runs != NO_LIMIT;
  summary->all_interleavings = summary->truncated_runs > 0 ? INFINITY : estimate_before(self);
  summary->all_runs = estimate_all_runs(self, stats, done);
  summary->estimated_runs = estimate_runs(self, stats, done);
}
