/* SPDX-License-Identifier: MIT */
#include "report/shares.h"

static uint64_t count(const struct summary *summary, const char *name) {
  return account_count(summary->account, name);
}

/* A part of one, of which the account has the millionths. */
static double part(const struct summary *summary, const char *name) {
  return (double)count(summary, name) / 1e6;
}

static const struct figure *bounds_of(const struct summary *summary) {
  return account_figure(summary->account, "runs_by_preemptions");
}

static const char *plural(uint64_t count) {
  return count == 1 ? "" : "s";
}

static uint64_t sampled_runs(const struct summary *summary) {
  return count(summary, "pct_runs") + count(summary, "random_runs");
}

static bool had_turns(const struct summary *summary) {
  return sampled_runs(summary) + count(summary, "runs_of_last_bound") > 0;
}

/* 1,234 runs; 1.2 million runs */
static void append_runs(struct text *text, uint64_t runs) {
  if (runs >= 1000000)
    text_append_format(text, "%.1f million runs", (double)runs / 1e6);
  else if (runs >= 1000)
    text_append_format(text, "%u,%03u runs", (unsigned)(runs / 1000), (unsigned)(runs % 1000));
  else
    text_append_format(text, "%u run%s", (unsigned)runs, plural(runs));
}

/* 14 %; of small parts two digits. What is not done is never 100 %. */
static void append_part(struct text *text, double part) {
  if (part >= 0.1)
    text_append_format(text, "%u %%", (unsigned)(part < 1 ? 100 * part : 99));
  else
    text_append_format(text, "%.2g %%", 100 * part);
}

/* After the first only the number. */
static void append_bound(struct text *text, uint64_t bound) {
  text_append_format(text, bound == 0 ? "with at most %llu preemptions: " : "%llu: ", (unsigned long long)bound);
}

/* What was explored with a lower bound is not explored again. */
static uint64_t runs_up_to(const struct figure *bounds, uint64_t bound) {
  uint64_t sum = 0;
  for (uint64_t i = 0; i <= bound; i++) sum += bounds->counts[i];
  return sum;
}

/* 14 % explored (5,760 runs more so far); without an estimate only the runs. */
static void append_last_bound(struct text *text, const struct summary *summary, uint64_t bound) {
  const double done = part(summary, "last_bound_millionths");
  const bool is_known = done > 0 && done < 1;
  append_bound(text, bound);
  if (is_known) text_append(text, "about ");
  if (is_known) append_part(text, done);
  if (is_known) text_append(text, " explored (");
  append_runs(text, count(summary, "runs_of_last_bound"));
  text_append(text, bound > 0 ? " more so far" : " so far");
  text_append(text, is_known ? "); " : "; ");
}

/* What is done of the bounds: the largest of which all runs came to their end, and the one that is being explored. */
static void append_bounds(struct text *text, const struct summary *summary, const struct figure *bounds) {
  const uint64_t whole = count(summary, "whole_bounds");
  if (whole > 0) {
    text_append_format(text, "%swith at most %llu preemption%s (", report_bugs(summary) ? "" : "no bug ",
                       (unsigned long long)whole - 1, plural(whole - 1));
    append_runs(text, runs_up_to(bounds, whole - 1));
    text_append(text, ", all); ");
  }
  for (uint64_t bound = whole; bound < bounds->n_counts; bound++) {
    append_bound(text, bound);
    append_runs(text, runs_up_to(bounds, bound));
    text_append(text, ", all, but some were cut short; ");
  }
  if (count(summary, "runs_of_last_bound") > 0) append_last_bound(text, summary, bounds->n_counts);
}

static void append_optimal(struct text *text, const struct summary *summary) {
  const double done = part(summary, "optimal_millionths");
  append_runs(text, count(summary, "optimal_runs"));
  text_append(text, " of optimal");
  if (done <= 0 || done >= 1) return;
  text_append(text, ", about ");
  append_part(text, done);
  text_append(text, " of all that it needs");
}

void shares_print(const struct report *report, const struct summary *summary) {
  const struct figure *bounds = bounds_of(summary);
  struct text text = {0};
  if (!bounds || summary->complete || !had_turns(summary)) return;
  append_bounds(&text, summary, bounds);
  append_runs(&text, sampled_runs(summary));
  text_append(&text, " of pct and random; ");
  append_optimal(&text, summary);
  fprintf(report->stream, "known: %s\n", text_string(&text));
  text_free(&text);
}

void shares_append_json(struct text *json, const struct summary *summary) {
  static const char *const names[] = {"whole_bounds",    "runs_of_last_bound", "optimal_runs",
                                      "contextual_runs", "pct_runs",           "random_runs"};
  const struct figure *bounds = bounds_of(summary);
  if (!bounds) return;
  text_append(json, ",\n  \"auto\": {\"runs_by_preemptions\": [");
  for (size_t k = 0; k < bounds->n_counts; k++)
    text_append_format(json, "%s%llu", k > 0 ? ", " : "", (unsigned long long)bounds->counts[k]);
  text_append(json, "]");
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    text_append_format(json, ", \"%s\": %llu", names[i], (unsigned long long)count(summary, names[i]));
  text_append_format(json, ", \"sampled_runs\": %llu", (unsigned long long)sampled_runs(summary));
  text_append_format(json, ", \"optimal_done\": %.6f", part(summary, "optimal_millionths"));
  text_append_format(json, ", \"last_bound_done\": %.6f", part(summary, "last_bound_millionths"));
  if (summary->complete) text_append_format(json, ", \"proved_by\": \"%s\"", summary->part);
  text_append(json, "}");
}
