/* SPDX-License-Identifier: MIT
 *
 * How much there is, and what to try when that is too much. Two estimates:
 *
 *     before      Knuth's (1975): a random run that has had d1, d2, ... ways to go on stands for d1 * d2 * ... runs;
 * the mean over random runs is an unbiased estimate of how many there are. The learning runs are random runs. meanwhile
 * a run made has the share 1 / (d1 * d2 * ...) of the tree; the shares of all runs add up to 1. After runs with the
 * shares s in all, there are about runs / s. That is exact in the end, and useful once the runs made are more than a
 * corner of the tree.
 */
#include "explore/loop/internal.h"

#include "trace/tables.h"

#define ENOUGH_DONE 0.01 /* of the tree, to believe its shares */
#define FEASIBLE_RUNS 1e7
#define MOST_NAMED 1e15

static double ways_of(const struct trace_view *trace, const struct event *event) {
  const uint64_t *enabled = trace_enabled_set(trace, event);
  const size_t n_words = trace_enabled_words(trace, event);
  int count = 0;
  for (size_t i = 0; i < n_words; i++) count += __builtin_popcountll(enabled[i]);
  return (count > 0 ? count : 1) * (double)event->alternatives;
}

void estimate_add_run(struct estimate *estimate, const struct trace_view *trace) {
  double product = 1;
  for (uint32_t i = 0; i < trace->record->n_events; i++)
    if (event_is_step(&trace->events[i])) product *= ways_of(trace, &trace->events[i]);
  estimate->sum += product;
  estimate->runs++;
}

/* With a bound on preemptions the tree is another one; with inputs how many ways there are is not known beforehand. */
static double estimate_before(const struct exploration *self) {
  if (self->estimate.runs == 0 || self->summary.inputs > 0 || self->settings->max_preemptions != NO_LIMIT) return 0;
  return self->estimate.sum / (double)self->estimate.runs;
}

/* Of this strategy: one that reduces makes fewer. */
static double estimate_own(const struct exploration *self) {
  return self->settings->strategy == &strategy_exhaustive ? estimate_before(self) : 0;
}

/* Decisions fork so unevenly that the shares of runs made say little about what is left. */
static double part_done(const struct exploration *self, const struct strategy_stats *stats) {
  return self->summary.inputs > 0 ? 0 : stats->done;
}

static bool samples(const struct exploration *self) {
  return self->settings->strategy->default_max_runs != NO_LIMIT;
}

double exploration_estimate_runs(const struct exploration *self, const struct strategy_stats *stats) {
  const double runs = (double)self->summary.runs, limit = self->max_runs == NO_LIMIT ? 0 : (double)self->max_runs;
  if (samples(self)) return limit;
  const double done = part_done(self, stats);
  double all = done >= ENOUGH_DONE ? runs / done : estimate_own(self);
  if (all < runs + (double)stats->left) all = done > 0 ? runs + (double)stats->left : 0;
  return limit > 0 && limit < all ? limit : all;
}

/* --- advice --- */

static const char *const advice_of[] = {
    "",
#define REASON(name, words, advice) advice,
#include "explore/loop/reasons.def"
#undef REASON
};

static void append_runs(struct text *text, double runs) {
  if (runs < MOST_NAMED)
    text_append_format(text, runs < 1e6 ? "about %.0f runs" : "about %.1e runs", runs);
  else
    text_append_format(text, "more than %.0e runs", MOST_NAMED);
}

/* Sampling was not complete, which it never is: is everything within reach? */
static void advise_sampling(struct text *text, const struct exploration *self) {
  const double all = estimate_before(self);
  if (all > 0 && all < FEASIBLE_RUNS) {
    text_append(text, "--strategy exhaustive: ");
    append_runs(text, all);
    text_append(text, " would explore everything");
    return;
  }
  text_append(text, "more runs or another --seed; --max-preemptions 2 for a proof up to that bound");
}

static void advise_exhausting(struct text *text, const struct exploration *self) {
  if (self->summary.inputs > 0 && self->summary.threads <= 1) {
    text_append(text, "raise the limit, sample with --strategy random, or make the driver smaller (fewer and shorter "
                      "inputs, assumptions about them)");
    return;
  }
  struct strategy_stats stats = {0};
  if (self->strategy) self->settings->strategy->stats(self->strategy, &stats);
  const double runs = (double)self->summary.runs, before = estimate_own(self);
  const double done = part_done(self, &stats), all = done >= ENOUGH_DONE ? runs / done : before;
  if (all > runs) {
    append_runs(text, all);
    text_append_format(text, " would explore everything, %.0f are done; ", runs);
  }
  if (all > runs && all < FEASIBLE_RUNS && all < 100 * runs) {
    text_append(text, "raise the limit, ");
  } else if (self->settings->max_preemptions == NO_LIMIT) {
    text_append(text, "bound the search with --max-preemptions 2, ");
  } else if (self->settings->max_preemptions > 0) {
    text_append_format(text, "bound the search with --max-preemptions %llu, ",
                       (unsigned long long)self->settings->max_preemptions - 1);
  }
  text_append(text, "sample with --strategy pct, or make the driver smaller (fewer threads, fewer rounds)");
}

void exploration_append_advice(struct text *text, const struct exploration *self) {
  switch (self->reason) {
  case REASON_MAX_RUNS:
  case REASON_MAX_TIME:
  case REASON_INTERRUPTED:
    if (samples(self))
      advise_sampling(text, self);
    else
      advise_exhausting(text, self);
    return;
  default: text_append(text, advice_of[self->reason]);
  }
}
