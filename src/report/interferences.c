/* SPDX-License-Identifier: MIT */
#include "report/interferences.h"

#include "base/json.h"
#include <string.h>

#define MOST_UNCOVERED 20

static uint64_t count(const struct summary *summary, const char *name) {
  return account_count(summary->account, name);
}

/* Has the strategy counted interferences? */
static bool has_them(const struct summary *summary) {
  return account_figure(summary->account, "branches_by_k");
}

static bool is_everything_covered(const struct summary *summary) {
  return count(summary, "branch_sides") > 0 && count(summary, "covered_sides") == count(summary, "branch_sides");
}

const char *interferences_explored(const struct summary *summary) {
  if (!has_them(summary)) return NULL;
  return is_everything_covered(summary)
             ? "every path of every thread was explored, every branch is covered"
             : "every path of every thread was explored, every branch that can be reached is covered";
}

/* --- sides that are not covered --- */

static bool is_side_covered(const struct summary *summary, const struct coverage_point *point, int side) {
  const uint32_t byte = point->byte + (uint32_t)side;
  return byte < summary->coverage_bytes && summary->coverage[byte];
}

static bool is_same_place(const struct place *a, const struct place *b) {
  return a->line == b->line && strcmp(a->file, b->file) == 0 && strcmp(a->function, b->function) == 0;
}

/* The reason, or NULL. */
static const char *reason_of(const struct report *report, const struct summary *summary,
                             const struct coverage_point *point, int side) {
  for (size_t i = 0; i < summary->account->uncovered.count; i++) {
    const struct uncovered_side *item = &summary->account->uncovered.items[i];
    const struct place place = program_place(report->program, item->site);
    if (item->side == (side == 1) && is_same_place(&place, &point->place)) return item->because;
  }
  return NULL;
}

static void print_side(const struct report *report, const struct summary *summary, const struct coverage_point *point,
                       int side) {
  const char *reason = reason_of(report, summary, point, side);
  struct text place = {0};
  describe_place(&place, point->place);
  fprintf(report->stream, "not covered: %s in %s, when its condition is %s", text_string(&place), point->place.function,
          side ? "true" : "false");
  if (reason) fprintf(report->stream, ": not together: %s", reason);
  fputs("\n", report->stream);
  text_free(&place);
}

static void print_uncovered(const struct report *report, const struct summary *summary) {
  size_t count = 0;
  for (size_t i = 0; i < report->branches.count; i++)
    for (int side = 0; side < 2; side++) {
      if (is_side_covered(summary, &report->branches.items[i], side)) continue;
      if (count++ < MOST_UNCOVERED) print_side(report, summary, &report->branches.items[i], side);
    }
  if (count > MOST_UNCOVERED) fprintf(report->stream, "and %zu more (--json has all)\n", count - MOST_UNCOVERED);
}

/* --- the terminal --- */

/* Where nothing can interfere, what is left is concolic testing of single threads. */
static void print_limits(FILE *stream, const struct summary *summary) {
  if (summary->threads < 2)
    fputs("no thread but main was created: nothing can interfere, this was plain concolic testing\n", stream);
  else if (count(summary, "accesses") == 0)
    fputs("no variable is shared: nothing can interfere, this was plain concolic testing\n", stream);
  if (count(summary, "branches") == 0) fputs("no branch depends on an input or on what another thread wrote\n", stream);
}

static void print_degrees(FILE *stream, const struct summary *summary) {
  const struct figure *covered = account_figure(summary->account, "branches_by_k");
  const struct figure *bug = account_figure(summary->account, "bug_k");
  fputs("branches by interferences:", stream);
  for (size_t k = 0; k < covered->n_counts; k++)
    fprintf(stream, "%s %llu at k = %zu", k > 0 ? "," : "", (unsigned long long)covered->counts[k], k);
  fprintf(stream, "; %llu of %llu\n", (unsigned long long)count(summary, "covered_sides"),
          (unsigned long long)count(summary, "branch_sides"));
  if (bug) fprintf(stream, "first bug at k = %llu\n", (unsigned long long)bug->count);
}

static void print_rest(FILE *stream, const struct summary *summary) {
  const struct figure *lowest = account_figure(summary->account, "lowest_k_left");
  const unsigned long long left = count(summary, "scenarios_left");
  if (is_everything_covered(summary))
    fputs("full coverage\n", stream);
  else if (summary->complete && !account_figure(summary->account, "bug_k")) /* a failure ends the run for all threads */
    fputs("maximum coverage proven: no scenario is left\n", stream);
  else if (!lowest)
    fputs("no scenario is left\n", stream);
  else if (lowest->count == 0)
    fprintf(stream, "k = 0 is not completed; %llu scenarios are left\n", left);
  else
    fprintf(stream, "completed up to k = %llu; %llu scenarios are left\n", (unsigned long long)lowest->count - 1, left);
}

static void print_scenarios(FILE *stream, const struct summary *summary) {
  const uint64_t scenarios = count(summary, "scenarios");
  fprintf(stream, "%llu scenarios, %.0f per second: %llu realised, %llu without an order, %llu without inputs\n",
          (unsigned long long)scenarios, summary->seconds > 0 ? (double)scenarios / summary->seconds : 0.0,
          (unsigned long long)count(summary, "realised"), (unsigned long long)count(summary, "without_order"),
          (unsigned long long)count(summary, "without_inputs"));
  if (count(summary, "hazards") > 0)
    fprintf(stream, "%llu scenarios of what may go wrong between threads\n",
            (unsigned long long)count(summary, "hazards"));
  if (count(summary, "disagreements") > 0)
    fprintf(stream, "internal error: the two ways to find orders disagree %llu times\n",
            (unsigned long long)count(summary, "disagreements"));
}

void interferences_print(const struct report *report, const struct summary *summary) {
  FILE *stream = report->stream;
  if (!has_them(summary)) return;
  print_degrees(stream, summary);
  print_rest(stream, summary);
  print_scenarios(stream, summary);
  print_limits(stream, summary);
  if (!is_everything_covered(summary)) print_uncovered(report, summary);
}

/* --- JSON --- */

/* null: the strategy has not said it. */
static void append_figure(struct text *json, const struct summary *summary, const char *name) {
  const struct figure *figure = account_figure(summary->account, name);
  if (figure)
    text_append_format(json, ", \"%s\": %llu", name, (unsigned long long)figure->count);
  else
    text_append_format(json, ", \"%s\": null", name);
}

static void append_seconds(struct text *json, const struct summary *summary, const char *name) {
  text_append_format(json, ", \"%s\": %.6f", name, account_seconds(summary->account, name));
}

static void append_side(struct text *json, const struct report *report, const struct summary *summary,
                        const struct coverage_point *point, int side) {
  const char *reason = reason_of(report, summary, point, side);
  text_append(json, "{\"file\": ");
  json_append_string(json, point->place.file);
  text_append_format(json, ", \"line\": %u, \"function\": ", point->place.line);
  json_append_string(json, point->place.function);
  text_append_format(json, ", \"side\": %s, \"because\": ", side ? "true" : "false");
  if (reason)
    json_append_string(json, reason);
  else
    text_append(json, "null");
  text_append(json, "}");
}

static void append_uncovered(struct text *json, const struct report *report, const struct summary *summary) {
  const char *separator = "\n    ";
  text_append(json, ", \"uncovered\": [");
  for (size_t i = 0; i < report->branches.count; i++)
    for (int side = 0; side < 2; side++) {
      if (is_side_covered(summary, &report->branches.items[i], side)) continue;
      text_append(json, separator);
      append_side(json, report, summary, &report->branches.items[i], side);
      separator = ",\n    ";
    }
  text_append(json, "]");
}

void interferences_append_json(struct text *json, const struct report *report, const struct summary *summary) {
  static const char *const names[] = {"bug_k",         "lowest_k_left",  "scenarios", "realised",
                                      "without_order", "without_inputs", "hazards",   "scenarios_left",
                                      "forest_nodes",  "disagreements"};
  const struct figure *covered = account_figure(summary->account, "branches_by_k");
  const bool is_full = is_everything_covered(summary);
  if (!covered) return;
  text_append(json, ",\n  \"con2colic\": {\"branches_by_k\": [");
  for (size_t k = 0; k < covered->n_counts; k++)
    text_append_format(json, "%s%llu", k > 0 ? ", " : "", (unsigned long long)covered->counts[k]);
  text_append_format(json, "], \"full_coverage\": %s, \"maximum_coverage\": %s", is_full ? "true" : "false",
                     is_full || summary->complete ? "true" : "false");
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) append_figure(json, summary, names[i]);
  append_seconds(json, summary, "order_seconds");
  append_seconds(json, summary, "data_seconds");
  append_uncovered(json, report, summary);
  text_append(json, "}");
}
