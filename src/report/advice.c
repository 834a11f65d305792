/* SPDX-License-Identifier: MIT */
#include "report/advice.h"

#include <math.h>

#define FEASIBLE_RUNS 1e7
#define MOST_NAMED 1e15

struct row {
  const char *words, *advice;
};

/* Without a default, so that the compiler sees when a reason has no row. */
static struct row row_of(enum reason reason) {
  switch (reason) {
  case REASON_NONE: break;
#define REASON(name, words, advice)                                                                                    \
  case REASON_##name:                                                                                                  \
    return (struct row){words, advice};
#include "report/reasons.def"
#undef REASON
  }
  return (struct row){"", ""};
}

const char *advice_reason(const struct summary *summary) {
  return row_of(summary->reason).words;
}

static void append_runs(struct text *text, double runs) {
  if (runs < MOST_NAMED)
    text_append_format(text, runs < 1e6 ? "about %.0f runs" : "about %.1e runs", runs);
  else
    text_append_format(text, "more than %.0e runs", MOST_NAMED);
}

/* What was cut short has no number of runs. */
static void append_whole(struct text *text, double all) {
  if (isinf(all)) {
    text_append(text, "no bound known, as runs were cut short");
    return;
  }
  append_runs(text, all);
  text_append(text, " would explore everything");
}

static void append_within(struct text *text, uint64_t bound) {
  if (bound == UINT64_MAX) return;
  text_append_format(text, " with at most %llu preemption%s", (unsigned long long)bound, bound == 1 ? "" : "s");
}

/* Sampling was not complete, which it never is: is everything within reach? */
static void advise_sampling(struct text *text, const struct summary *summary) {
  const double all = summary->all_interleavings;
  if (all > 0 && all < FEASIBLE_RUNS) {
    text_append(text, "--strategy exhaustive: ");
    append_whole(text, all);
    return;
  }
  if (isinf(all)) {
    append_whole(text, all);
    text_append(text, "; ");
  }
  text_append(text, "more runs or another --seed; --max-preemptions 2 for a proof up to that bound");
}

static void advise_bound(struct text *text, uint64_t bound) {
  if (bound == UINT64_MAX)
    text_append(text, "bound the search with --max-preemptions 2, ");
  else if (bound > 0)
    text_append_format(text, "bound the search with --max-preemptions %llu, ", (unsigned long long)bound - 1);
}

static void advise_exhausting(struct text *text, const struct report *report, const struct summary *summary) {
  if (account_figure(summary->account, "runs_by_preemptions")) {
    if (isinf(summary->all_runs)) append_whole(text, summary->all_runs);
    if (isinf(summary->all_runs)) text_append(text, "; ");
    text_append(text,
                "more time: each bound on preemptions that is done is a proof up to it; or make the driver smaller "
                "(fewer threads, fewer rounds)");
    return;
  }
  if (summary->inputs > 0 && summary->threads <= 1) {
    text_append(text, "raise the limit, sample with --strategy random, or make the driver smaller (fewer and shorter "
                      "inputs, assumptions about them)");
    return;
  }
  const double runs = (double)summary->runs, all = summary->all_runs;
  if (all > runs) {
    append_whole(text, all);
    if (!isinf(all)) append_within(text, report->max_preemptions);
    if (!isinf(all)) text_append_format(text, ", %.0f are done", runs);
    text_append(text, "; ");
  }
  if (all > runs && all < FEASIBLE_RUNS && all < 100 * runs)
    text_append(text, "raise the limit, ");
  else
    advise_bound(text, report->max_preemptions);
  text_append(text, "sample with --strategy pct, or make the driver smaller (fewer threads, fewer rounds)");
}

/* More of the same would be cut short too. */
static bool none_ended(const struct summary *summary) {
  return summary->runs > 0 && summary->truncated_runs == summary->runs;
}

static void advise_shortening(struct text *text, const struct summary *summary) {
  append_whole(text, summary->all_interleavings);
  text_append_format(text, ", all of them; %s", row_of(REASON_CUT_SHORT).advice);
}

void advice_append(struct text *text, const struct report *report, const struct summary *summary) {
  switch (summary->reason) {
  case REASON_MAX_RUNS:
  case REASON_MAX_TIME:
  case REASON_INTERRUPTED:
    if (none_ended(summary))
      advise_shortening(text, summary);
    else if (summary->samples)
      advise_sampling(text, summary);
    else
      advise_exhausting(text, report, summary);
    return;
  default: text_append(text, row_of(summary->reason).advice);
  }
}
