/* SPDX-License-Identifier: MIT */
#include "report/interferences.h"

#include "base/json.h"
#include "explore/con2colic/con2colic.h"

#include <string.h>

#define MOST_UNCOVERED 20

static bool is_everything_covered(const struct con2colic_summary *it) {
  return it->branch_sides > 0 && it->covered_sides == it->branch_sides;
}

const char *interferences_verdict(const struct summary *summary) {
  return is_everything_covered(summary->con2colic)
             ? "clean: every path of every thread was explored, every branch is covered, no bug"
             : "clean: every path of every thread was explored, every branch that can be reached is covered, no bug";
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
static const char *reason_of(const struct report *report, const struct con2colic_summary *it,
                             const struct coverage_point *point, int side) {
  for (size_t i = 0; i < it->uncovered.count; i++) {
    const struct place place = program_place(report->program, it->uncovered.items[i].site);
    if (it->uncovered.items[i].side == (side == 1) && is_same_place(&place, &point->place))
      return it->uncovered.items[i].because;
  }
  return NULL;
}

static void print_side(const struct report *report, const struct con2colic_summary *it,
                       const struct coverage_point *point, int side) {
  const char *reason = reason_of(report, it, point, side);
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
      if (count++ < MOST_UNCOVERED) print_side(report, summary->con2colic, &report->branches.items[i], side);
    }
  if (count > MOST_UNCOVERED) fprintf(report->stream, "and %zu more (--json has all)\n", count - MOST_UNCOVERED);
}

/* --- the terminal --- */

/* Where nothing can interfere, what is left is concolic testing of single threads. */
static void print_limits(FILE *stream, const struct summary *summary) {
  const struct con2colic_summary *it = summary->con2colic;
  if (summary->threads < 2)
    fputs("only main ran: no thread can interfere, so this was plain concolic testing\n", stream);
  else if (it->accesses == 0)
    fputs("no variable is shared: no thread can interfere, so this was plain concolic testing\n", stream);
  if (it->branches == 0) fputs("no branch depends on an input or on what another thread wrote\n", stream);
}

static void print_degrees(FILE *stream, const struct con2colic_summary *it) {
  fputs("branches by interferences:", stream);
  for (size_t k = 0; k < it->covered.count; k++)
    fprintf(stream, "%s %llu at k = %zu", k > 0 ? "," : "", (unsigned long long)it->covered.items[k], k);
  fprintf(stream, "; %llu of %llu\n", (unsigned long long)it->covered_sides, (unsigned long long)it->branch_sides);
  if (it->bug_degree != NO_DEGREE) fprintf(stream, "first bug at k = %u\n", it->bug_degree);
}

static void print_rest(FILE *stream, const struct summary *summary) {
  const struct con2colic_summary *it = summary->con2colic;
  if (is_everything_covered(it))
    fputs("full coverage\n", stream);
  else if (summary->complete && it->bug_degree == NO_DEGREE) /* a failure ends the run for all threads */
    fputs("maximum coverage proven: no scenario is left\n", stream);
  else if (it->lowest_left == NO_DEGREE)
    fputs("no scenario is left\n", stream);
  else if (it->lowest_left == 0)
    fprintf(stream, "k = 0 is not complete; %llu scenarios are left\n", (unsigned long long)it->left);
  else
    fprintf(stream, "complete up to k = %u; %llu scenarios are left\n", it->lowest_left - 1,
            (unsigned long long)it->left);
}

void interferences_print(const struct report *report, const struct summary *summary) {
  FILE *stream = report->stream;
  const struct con2colic_summary *it = summary->con2colic;
  if (!it) return;
  print_degrees(stream, it);
  print_rest(stream, summary);
  fprintf(stream, "%llu scenarios, %.0f per second: %llu realised, %llu without an order, %llu without inputs\n",
          (unsigned long long)it->scenarios, summary->seconds > 0 ? (double)it->scenarios / summary->seconds : 0.0,
          (unsigned long long)it->realised, (unsigned long long)it->without_order,
          (unsigned long long)it->without_inputs);
  if (it->hazards > 0)
    fprintf(stream, "%llu scenarios of what may go wrong between threads\n", (unsigned long long)it->hazards);
  if (it->disagreements > 0)
    fprintf(stream, "internal error: the two order solvers disagree %llu times\n",
            (unsigned long long)it->disagreements);
  print_limits(stream, summary);
  if (!is_everything_covered(it)) print_uncovered(report, summary);
}

/* --- JSON --- */

static void append_degree(struct text *json, const char *name, uint32_t degree) {
  if (degree == NO_DEGREE)
    text_append_format(json, ", \"%s\": null", name);
  else
    text_append_format(json, ", \"%s\": %u", name, degree);
}

static void append_side(struct text *json, const struct report *report, const struct con2colic_summary *it,
                        const struct coverage_point *point, int side) {
  const char *reason = reason_of(report, it, point, side);
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
      append_side(json, report, summary->con2colic, &report->branches.items[i], side);
      separator = ",\n    ";
    }
  text_append(json, "]");
}

void interferences_append_json(struct text *json, const struct report *report, const struct summary *summary) {
  const struct con2colic_summary *it = summary->con2colic;
  if (!it) return;
  text_append(json, ",\n  \"con2colic\": {\"branches_by_k\": [");
  for (size_t k = 0; k < it->covered.count; k++)
    text_append_format(json, "%s%llu", k > 0 ? ", " : "", (unsigned long long)it->covered.items[k]);
  text_append_format(json, "], \"full_coverage\": %s, \"maximum_coverage\": %s",
                     is_everything_covered(it) ? "true" : "false",
                     is_everything_covered(it) || summary->complete ? "true" : "false");
  append_degree(json, "bug_k", it->bug_degree);
  append_degree(json, "lowest_k_left", it->lowest_left);
  text_append_format(json,
                     ", \"scenarios\": %llu, \"realised\": %llu, \"without_order\": %llu, \"without_inputs\": %llu, "
                     "\"hazards\": %llu, \"scenarios_left\": %llu, \"forest_nodes\": %llu, \"disagreements\": %llu, "
                     "\"order_seconds\": %.6f, \"data_seconds\": %.6f",
                     (unsigned long long)it->scenarios, (unsigned long long)it->realised,
                     (unsigned long long)it->without_order, (unsigned long long)it->without_inputs,
                     (unsigned long long)it->hazards, (unsigned long long)it->left, (unsigned long long)it->nodes,
                     (unsigned long long)it->disagreements, it->order_seconds, it->data_seconds);
  append_uncovered(json, report, summary);
  text_append(json, "}");
}
