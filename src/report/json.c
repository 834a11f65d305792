/* SPDX-License-Identifier: MIT
 *
 * The exploration as one JSON object. Its names are a contract (docs/json.md); with the same seed it is the same, byte
 * for byte, except for seconds (deadlock_seconds and the solver's as well), runs_per_second and peak_rss_kb.
 */
#include "base/json.h"

#include "base/files.h"
#include "report/computing.h"
#include "report/concrete.h"
#include "report/interferences.h"
#include "report/report.h"
#include "report/shares.h"
#include "report/shown_inputs.h"
#include "report/warnings.h"
#include "trace/tables.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void append_number(struct text *json, const char *name, uint64_t value) {
  text_append_format(json, ",\n  \"%s\": %llu", name, (unsigned long long)value);
}

static void append_threads(struct text *json, const struct scene *scene) {
  thread_list threads = {0};
  failure_threads(scene, &threads);
  text_append(json, "[");
  for (size_t i = 0; i < threads.count; i++) {
    struct text name = {0};
    describe_thread(&name, scene->knowledge, threads.items[i]);
    if (i > 0) text_append(json, ", ");
    json_append_string(json, text_string(&name));
    text_free(&name);
  }
  text_append(json, "]");
  vector_free(&threads);
}

static void append_bug(struct text *json, const struct report *report, const struct finding *finding, bool is_sought) {
  const struct scene scene = report_scene(report, finding);
  const struct place place = failure_place(&scene);
  struct text message = {0};
  const char *directory = report_bug_directory(report, finding);
  describe_failure(&message, &scene);
  text_append(json, "{\"kind\": ");
  json_append_string(json, outcome_row(finding->record->outcome)->kind);
  if (finding->part) text_append_format(json, ", \"found_by\": \"%s\"", finding->part);
  if (!is_sought) text_append(json, ", \"noted\": true");
  text_append(json, ", \"message\": ");
  json_append_string(json, text_string(&message));
  if (finding->record->outcome == OUTCOME_EXIT) text_append_format(json, ", \"status\": %d", finding->record->status);
  text_append(json, ", \"file\": ");
  json_append_string(json, place.file);
  text_append_format(json, ", \"line\": %u, \"function\": ", place.line);
  json_append_string(json, place.function);
  text_append(json, ", \"threads\": ");
  append_threads(json, &scene);
  text_append(json, ", \"inputs\": ");
  inputs_append_json(json, finding->knowledge, &finding->trace);
  if (directory) text_append(json, ", \"directory\": ");
  if (directory) json_append_string(json, directory);
  text_append(json, "}");
  text_free(&message);
}

void json_append_bug(struct text *json, const struct report *report, const struct finding *finding) {
  append_bug(json, report, finding, true);
}

static void append_bugs(struct text *json, const struct report *report, const struct summary *summary) {
  const struct findings *findings = summary->findings;
  text_append(json, ",\n  \"bugs\": [");
  for (size_t i = 0; i < findings->list.count; i++) {
    text_append(json, i > 0 ? ",\n    " : "\n    ");
    append_bug(json, report, findings->list.items[i], report_is_sought(summary, findings->list.items[i]));
  }
  text_append(json, findings->list.count > 0 ? "\n  ]" : "]");
}

/* Those of the runtime, then what the engine itself has to say. */
static void append_warnings(struct text *json, const struct report *report, const struct summary *summary) {
  const struct warning_scene scene = {report->program, summary->knowledge};
  warning_list list = {0};
  warnings_list(&list, report->program, summary->knowledge);
  const char *separator = "\n    ";
  text_append(json, ",\n  \"warnings\": [");
  for (size_t i = 0; i < list.count; i++, separator = ",\n    ") {
    text_append(json, separator);
    warning_append_json(json, &scene, &list.items[i]);
  }
  for (size_t i = 0; i < summary->n_warnings; i++, separator = ",\n    ") {
    text_append_format(json, "%s{\"kind\": \"engine\", \"message\": ", separator);
    json_append_string(json, summary->warnings[i]);
    text_append(json, "}");
  }
  text_append(json, list.count + summary->n_warnings > 0 ? "\n  ]" : "]");
  vector_free(&list);
}

static void append_observations(struct text *json, const struct summary *summary) {
  observation_list list = {0};
  report_observations(summary, &list);
  text_append(json, ",\n  \"observations\": [");
  for (size_t i = 0; i < list.count; i++) {
    text_append(json, i > 0 ? ",\n    {\"outcome\": " : "\n    {\"outcome\": ");
    json_append_bytes(json, list.items[i].text, list.items[i].bytes);
    text_append_format(json, ", \"runs\": %llu}", (unsigned long long)list.items[i].runs);
  }
  text_append(json, list.count > 0 ? "\n  ]" : "]");
  vector_free(&list);
}

static void append_answers(struct text *json, uint64_t sat, uint64_t unsat, uint64_t unknown, double seconds) {
  text_append_format(json, "\"sat\": %llu, \"unsat\": %llu, \"unknown\": %llu, \"seconds\": %.6f",
                     (unsigned long long)sat, (unsigned long long)unsat, (unsigned long long)unknown, seconds);
}

static void append_stage(struct text *json, const struct stage_statistics *stage) {
  text_append_format(json, "{\"name\": \"%s\", \"queries\": %llu, ", stage->name, (unsigned long long)stage->queries);
  append_answers(json, stage->satisfiable, stage->unsatisfiable, stage->unknown, stage->seconds);
  text_append(json, "}");
}

static void append_solver(struct text *json, const struct summary *summary) {
  static const struct solver_statistics nothing;
  const struct solver_statistics *solver = summary->solver ? summary->solver : &nothing;
  text_append_format(json, ",\n  \"solver\": {\"queries\": %llu, \"z3_queries\": %llu, ",
                     (unsigned long long)solver->queries, (unsigned long long)report_z3_queries(summary));
  append_answers(json, solver->satisfiable, solver->unsatisfiable, solver->unknown, solver->seconds);
  text_append(json, ", \"stages\": [");
  for (size_t i = 0; i < solver->n_stages; i++) {
    text_append(json, i > 0 ? ",\n    " : "\n    ");
    append_stage(json, &solver->stages[i]);
  }
  text_append(json, "]}");
}

static void append_concretised(struct text *json, const struct report *report, const struct summary *summary) {
  text_append(json, ",\n  \"concretised\": [");
  for (size_t i = 0; i < summary->n_concretised; i++) {
    const struct concretisation *item = &summary->concretised[i];
    const struct place place = program_place(report->program, item->site);
    text_append(json, i > 0 ? ",\n    {\"file\": " : "\n    {\"file\": ");
    json_append_string(json, place.file);
    text_append_format(json, ", \"line\": %u, \"function\": ", place.line);
    json_append_string(json, place.function);
    text_append(json, ", \"what\": ");
    json_append_string(json, place.variable);
    text_append(json, ", \"why\": ");
    json_append_string(json, pin_reason_row(item->why)->kind);
    text_append_format(json, ", \"times\": %llu}", (unsigned long long)item->times);
  }
  text_append(json, summary->n_concretised > 0 ? "\n  ]" : "]");
}

static void append_numbers(struct text *json, const struct report *report, const struct summary *summary) {
  uint64_t covered, total;
  report_branches(report, summary, &covered, &total);
  append_number(json, "seed", summary->seed);
  append_number(json, "runs", summary->runs);
  append_number(json, "learning_runs", summary->learning_runs);
  append_number(json, "blocked_runs", summary->blocked_runs);
  if (summary->sequences) append_number(json, "sequences", summary->sequences);
  append_number(json, "deadlocked_runs", summary->deadlocked_runs);
  append_number(json, "truncated_runs", summary->truncated_runs);
  append_number(json, "discarded_runs", summary->discarded_runs);
  if (summary->unfair_rounds) append_number(json, "unfair_continuations", summary->unfair_rounds);
  append_number(json, "divergences", summary->divergences);
  append_number(json, "events", summary->events);
  append_number(json, "thread_events", account_count(summary->account, "thread_events"));
  append_number(json, "structure_bytes", account_count(summary->account, "structure_bytes"));
  append_number(json, "visible_operations", summary->visible_operations);
  append_number(json, "threads", summary->threads);
  text_append_format(json, ",\n  \"seconds\": %.6f,\n  \"runs_per_second\": %.1f", summary->seconds,
                     summary->seconds > 0 ? (double)summary->runs / summary->seconds : 0.0);
  text_append_format(json, ",\n  \"deadlock_seconds\": %.6f", account_seconds(summary->account, "deadlock_seconds"));
  append_number(json, "peak_rss_kb", summary->peak_rss_kb);
  append_number(json, "inputs", summary->inputs);
  append_number(json, "paths", summary->paths);
  append_solver(json, summary);
  text_append_format(json, ",\n  \"branches\": {\"covered\": %llu, \"total\": %llu}", (unsigned long long)covered,
                     (unsigned long long)total);
}

static void write_json(struct report *report, const struct text *json) {
  if (strcmp(report->json, "-") != 0) {
    if (!files_write(report->json, json->string, json->length, &report->error)) report->failed = true;
    return;
  }
  if (fwrite(json->string, 1, json->length, stdout) == json->length && fflush(stdout) == 0) return;
  if (errno == EPIPE) return;
  error_set_errno(&report->error, "cannot write to standard output");
  report->failed = true;
}

static void end(void *self, const struct summary *summary) {
  struct report *report = self;
  if (!report->json) return;
  struct text json = {0};
  text_append_format(&json, "{\n  \"verdict\": \"%s\",\n  \"complete\": %s,\n  \"strategy\": \"%s\"",
                     report_verdict_word(summary), summary->complete ? "true" : "false", summary->strategy);
  append_numbers(&json, report, summary);
  interferences_append_json(&json, report, summary);
  shares_append_json(&json, summary);
  append_concretised(&json, report, summary);
  append_number(&json, "tests", report->tests ? report->tests->count : 0);
  computing_append_json(&json, report, summary);
  append_bugs(&json, report, summary);
  append_warnings(&json, report, summary);
  append_observations(&json, summary);
  text_append(&json, "\n}\n");
  write_json(report, &json);
  text_free(&json);
}

struct observer json_observer(struct report *report) {
  return (struct observer){.self = report, .end = end};
}
