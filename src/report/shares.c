/* SPDX-License-Identifier: MIT */
#include "report/shares.h"

static uint64_t count(const struct summary *summary, const char *name) {
  return account_count(summary->account, name);
}

/* That is done, 0 to 1. */
static double part_of_last_bound(const struct summary *summary) {
  return (double)count(summary, "last_bound_millionths") / 1e6;
}

static const struct figure *bounds_of(const struct summary *summary) {
  return account_figure(summary->account, "runs_by_preemptions");
}

static const char *plural(uint64_t count) {
  return count == 1 ? "" : "s";
}

static bool had_turns(const struct summary *summary) {
  return count(summary, "sampled_runs") + count(summary, "runs_of_last_bound") > 0;
}

static void append_runs(struct text *text, uint64_t runs, const char *rest) {
  text_append_format(text, "%llu run%s%s", (unsigned long long)runs, plural(runs), rest);
}

/* What was explored with a lower bound is not explored again. */
static uint64_t runs_of_all(const struct figure *bounds) {
  uint64_t sum = 0;
  for (size_t i = 0; i < bounds->n_counts; i++) sum += bounds->counts[i];
  return sum;
}

static void append_last_bound(struct text *text, const struct summary *summary, uint64_t bound) {
  const uint64_t runs = count(summary, "runs_of_last_bound");
  if (runs == 0) return;
  text_append_format(text, "with at most %llu: ", (unsigned long long)bound);
  if (part_of_last_bound(summary) > 0)
    text_append_format(text, "%.1f %% explored; ", 100 * part_of_last_bound(summary));
  else
    append_runs(text, runs, " so far; ");
}

static void append_bounds(struct text *text, const struct summary *summary, const struct figure *bounds) {
  const uint64_t next = bounds->n_counts;
  if (next > 0) {
    text_append_format(text, "%swith at most %llu preemption%s (", report_bugs(summary) ? "" : "no bug ",
                       (unsigned long long)next - 1, plural(next - 1));
    append_runs(text, runs_of_all(bounds), ", all); ");
  }
  append_last_bound(text, summary, next);
}

void shares_print(const struct report *report, const struct summary *summary) {
  const struct figure *bounds = bounds_of(summary);
  struct text text = {0};
  if (!bounds || summary->complete || !had_turns(summary)) return;
  append_bounds(&text, summary, bounds);
  append_runs(&text, count(summary, "sampled_runs"), " of pct; ");
  append_runs(&text, count(summary, "optimal_runs"), " of optimal, towards all schedules");
  fprintf(report->stream, "known: %s\n", text_string(&text));
  text_free(&text);
}

void shares_append_json(struct text *json, const struct summary *summary) {
  static const char *const names[] = {"optimal_runs", "runs_of_last_bound", "sampled_runs"};
  const struct figure *bounds = bounds_of(summary);
  if (!bounds) return;
  text_append(json, ",\n  \"auto\": {\"runs_by_preemptions\": [");
  for (size_t k = 0; k < bounds->n_counts; k++)
    text_append_format(json, "%s%llu", k > 0 ? ", " : "", (unsigned long long)bounds->counts[k]);
  text_append(json, "]");
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    text_append_format(json, ", \"%s\": %llu", names[i], (unsigned long long)count(summary, names[i]));
  text_append_format(json, ", \"last_bound_done\": %.6f}", part_of_last_bound(summary));
}
