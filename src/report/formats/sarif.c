/* SPDX-License-Identifier: MIT
 *
 * Results are bugs and warnings. The code flow of a bug has a thread flow per thread, whose locations are numbered
 * across all of them by executionOrder: what the failure rests on is essential, the rest is context.
 */
#include "report/formats/formats.h"

#include "base/hash.h"
#include "base/json.h"
#include "base/version.h"
#include "report/advice.h"
#include "report/kinds.h"
#include "report/rows.h"
#include "report/warnings.h"
#include "trace/tables.h"

#include <stdlib.h>
#include <string.h>

#define MOST_LOCATIONS 5000

static void append_member(struct text *json, const char *name, const char *value) {
  text_append_format(json, "\"%s\": ", name);
  json_append_string(json, value);
}

/* --- rules: one per kind --- */

static void append_tags(struct text *json, const struct kind *kind) {
  text_append(json, "\"properties\": {\"tags\": [\"concurrency\"");
  for (const char *at = kind->weaknesses; *at; at += strspn(at, " ")) {
    const size_t length = strcspn(at, " ");
    text_append_format(json, ", \"external/cwe/cwe-%.*s\"", (int)length, at);
    at += length;
  }
  text_append(json, "]}");
}

static const char *level_of(const struct kind *kind) {
  static const char *const levels[] = {"error", "warning", "note"};
  return levels[kind->level];
}

static void append_rule(struct text *json, const struct kind *kind) {
  text_append(json, "          {");
  append_member(json, "id", kind->name);
  text_append(json, ", \"shortDescription\": {");
  append_member(json, "text", kind->title);
  text_append(json, "}, \"fullDescription\": {");
  append_member(json, "text", kind->meaning);
  text_append(json, "}, \"help\": {");
  append_member(json, "text", *kind->repair ? kind->repair : kind->meaning);
  text_append_format(json, "}, \"defaultConfiguration\": {\"level\": \"%s\"}, ", level_of(kind));
  append_tags(json, kind);
  text_append(json, "}");
}

static void append_rules(struct text *json) {
  text_append(json, "\"rules\": [\n");
  for (size_t i = 0; kind_at(i); i++) {
    if (i > 0) text_append(json, ",\n");
    append_rule(json, kind_at(i));
  }
  text_append(json, "\n        ]");
}

/* --- locations --- */

/* A relative reference: bytes that a URI cannot have are written %XX. */
static void append_uri(struct text *json, const struct report *report, const char *file) {
  struct text path = {0}, uri = {0};
  paths_append(&path, &report->paths, file);
  if (*text_string(&path) == '/') text_append(&uri, "file://");
  for (const char *at = text_string(&path); *at; at++) {
    const bool is_plain =
        (*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') || (*at >= '0' && *at <= '9') || strchr("/._-~", *at);
    if (is_plain)
      text_append_bytes(&uri, at, 1);
    else
      text_append_format(&uri, "%%%02X", (unsigned char)*at);
  }
  append_member(json, "uri", text_string(&uri));
  text_free(&path);
  text_free(&uri);
}

/* One location object; `message` may be NULL. */
static void append_location(struct text *json, const struct report *report, struct place place, const char *message) {
  text_append(json, "{");
  if (*place.file) {
    text_append(json, "\"physicalLocation\": {\"artifactLocation\": {");
    append_uri(json, report, place.file);
    text_append(json, "}");
    if (place.line) text_append_format(json, ", \"region\": {\"startLine\": %u}", place.line);
    text_append(json, "}");
  }
  if (*place.function) {
    text_append_format(json, "%s\"logicalLocations\": [{", *place.file ? ", " : "");
    append_member(json, "name", place.function);
    text_append(json, ", \"kind\": \"function\"}]");
  }
  if (message) {
    struct text words = {0};
    paths_append_words(&words, &report->paths, message);
    text_append_format(json, "%s\"message\": {", *place.file || *place.function ? ", " : "");
    append_member(json, "text", text_string(&words));
    text_append(json, "}");
    text_free(&words);
  }
  text_append(json, "}");
}

static void append_message(struct text *json, const struct report *report, const char *message) {
  struct text words = {0};
  paths_append_words(&words, &report->paths, message);
  text_append(json, "\"message\": {");
  append_member(json, "text", text_string(&words));
  text_append(json, "}");
  text_free(&words);
}

/* The same finding in the next version of the program: its kind, function and words, not its line. */
static void append_fingerprint(struct text *json, const char *kind, const char *function, const char *message) {
  struct text words = {0};
  text_append_format(&words, "%s\n%s\n", kind, function);
  for (; *message; message++)
    if (*message < '0' || *message > '9') text_append_bytes(&words, message, 1);
  uint64_t hash = words.length;
  for (size_t i = 0; i < words.length; i++) hash = hash_mix(hash, (unsigned char)words.string[i]);
  text_append_format(json, "\"partialFingerprints\": {\"heddle/v1\": \"%016llx\"}", (unsigned long long)hash);
  text_free(&words);
}

/* --- bugs --- */

static void append_flow_location(struct text *json, const struct report *report, const struct row *row, size_t order) {
  struct text what = {0};
  text_append(&what, text_string(&row->what));
  text_append(&what, text_string(&row->value));
  text_append(json, "{\"location\": ");
  append_location(json, report, row->place, text_string(&what));
  text_append_format(json, ", \"executionOrder\": %zu, \"importance\": \"%s\"}", order,
                     row->marked ? "essential" : "important");
  text_free(&what);
}

static void append_thread_flow(struct text *json, const struct report *report, const struct scene *scene,
                               const row_list *rows, thread_id thread, size_t first) {
  struct text name = {0};
  const char *separator = "";
  describe_thread(&name, scene->knowledge, thread);
  if (*thread_start_routine(scene, thread)) text_append_format(&name, " %s", thread_start_routine(scene, thread));
  text_append(json, "{");
  append_member(json, "id", text_string(&name));
  text_append(json, ", \"locations\": [");
  for (size_t i = first; i < rows->count; i++) {
    if (rows->items[i].thread != thread) continue;
    text_append(json, separator);
    append_flow_location(json, report, &rows->items[i], i - first + 1);
    separator = ",\n            ";
  }
  text_append(json, "]}");
  text_free(&name);
}

static bool has_row(const row_list *rows, thread_id thread, size_t first, size_t end) {
  for (size_t i = first; i < end; i++)
    if (rows->items[i].thread == thread) return true;
  return false;
}

/* Of a run that is longer than anybody reads, the end. */
static void append_code_flow(struct text *json, const struct report *report, const struct scene *scene) {
  row_list rows = {0};
  const char *separator = "";
  rows_make(&rows, scene, true, 0);
  const size_t first = rows.count > MOST_LOCATIONS ? rows.count - MOST_LOCATIONS : 0;
  text_append(json, ",\n         \"codeFlows\": [{\"threadFlows\": [");
  for (size_t i = first; i < rows.count; i++) {
    if (has_row(&rows, rows.items[i].thread, first, i)) continue;
    text_append(json, separator);
    append_thread_flow(json, report, scene, &rows, rows.items[i].thread, first);
    separator = ",\n          ";
  }
  text_append(json, "]}]");
  rows_free(&rows);
}

/* Where the other threads stand. */
static void append_related(struct text *json, const struct report *report, const struct scene *scene) {
  row_list rows = {0};
  const char *separator = "";
  rows_make(&rows, scene, false, 0);
  text_append(json, ",\n         \"relatedLocations\": [");
  for (size_t i = 0; i < rows.count; i++) {
    const struct row *row = &rows.items[i];
    struct text words = {0};
    if (!row->marked || !*row->place.file) continue;
    describe_thread(&words, scene->knowledge, row->thread);
    text_append_format(&words, ": %s%s", text_string(&row->what), text_string(&row->value));
    text_append(json, separator);
    append_location(json, report, row->place, text_string(&words));
    separator = ",\n            ";
    text_free(&words);
  }
  text_append(json, "]");
  rows_free(&rows);
}

static void append_result_start(struct text *json, const char *kind, const char *level) {
  text_append_format(json, "{\"ruleId\": \"%s\", \"ruleIndex\": %zu, \"level\": \"%s\", ", kind, kind_index(kind),
                     level);
}

static void append_bug(struct text *json, const struct report *report, const struct finding *finding, bool is_sought) {
  const struct scene scene = report_scene(report, finding);
  const struct place place = failure_place(&scene);
  const char *kind = outcome_row(finding->record->outcome)->kind;
  struct text message = {0};
  describe_failure(&message, &scene);
  append_result_start(json, kind, is_sought ? "error" : "note");
  append_message(json, report, text_string(&message));
  text_append(json, ",\n         \"locations\": [");
  append_location(json, report, place, NULL);
  text_append(json, "],\n         ");
  append_fingerprint(json, kind, place.function, text_string(&message));
  append_related(json, report, &scene);
  append_code_flow(json, report, &scene);
  text_append(json, "}");
  text_free(&message);
}

/* --- warnings --- */

static void append_warning(struct text *json, const struct report *report, const struct warning_scene *scene,
                           const struct told_warning *told) {
  const char *kind = warning_row(told->warning.kind)->kind;
  struct text message = {0};
  warning_describe(&message, scene, told);
  append_result_start(json, kind, kind_named(kind)->level == LEVEL_NOTE ? "note" : "warning");
  append_message(json, report, text_string(&message));
  text_append(json, ",\n         \"locations\": [");
  append_location(json, report, told->place, NULL);
  text_append(json, "],\n         ");
  append_fingerprint(json, kind, told->place.function, text_string(&message));
  if (*told->other.file) {
    text_append(json, ",\n         \"relatedLocations\": [");
    append_location(json, report, told->other, "the other place");
    text_append(json, "]");
  }
  text_append(json, "}");
  text_free(&message);
}

static void append_results(struct text *json, const struct report *report, const struct summary *summary) {
  const struct warning_scene scene = {report->program, summary->knowledge};
  const struct findings *findings = summary->findings;
  const char *separator = "\n        ";
  warning_list list = {0};
  warnings_list(&list, report->program, summary->knowledge);
  text_append(json, "\"results\": [");
  for (size_t i = 0; i < findings->list.count; i++, separator = ",\n        ") {
    text_append(json, separator);
    append_bug(json, report, findings->list.items[i], report_is_sought(summary, findings->list.items[i]));
  }
  for (size_t i = 0; i < list.count; i++, separator = ",\n        ") {
    text_append(json, separator);
    append_warning(json, report, &scene, &list.items[i]);
  }
  text_append(json, "\n      ]");
  vector_free(&list);
}

/* What heddle says about its own work. */
static void append_invocation(struct text *json, const struct report *report, const struct summary *summary) {
  text_append(json, "\"invocations\": [{\"executionSuccessful\": true, \"toolExecutionNotifications\": [");
  text_append_format(json, "{\"level\": \"%s\", ", report_verdict(summary) == VERDICT_INCOMPLETE ? "warning" : "note");
  struct text words = {0};
  text_append(&words, report_verdict_word(summary));
  if (report_verdict(summary) == VERDICT_INCOMPLETE) text_append_format(&words, ": %s", advice_reason(summary));
  text_append_format(&words, "; %llu runs with strategy %s", (unsigned long long)summary->runs, summary->strategy);
  append_message(json, report, text_string(&words));
  text_append(json, "}");
  for (size_t i = 0; i < summary->n_warnings; i++) {
    text_append(json, ", {\"level\": \"warning\", ");
    append_message(json, report, summary->warnings[i]);
    text_append(json, "}");
  }
  text_append(json, "]}]");
  text_free(&words);
}

void sarif_append(struct text *json, const struct report *report, const struct summary *summary) {
  text_append(json, "{\n  \"$schema\": \"https://json.schemastore.org/sarif-2.1.0.json\",\n  \"version\": \"2.1.0\",\n"
                    "  \"runs\": [\n    {\"tool\": {\"driver\": {");
  append_member(json, "name", "heddle");
  text_append(json, ", ");
  append_member(json, "version", HEDDLE_VERSION);
  text_append(json, ", ");
  append_rules(json);
  text_append(json, "}},\n      ");
  append_invocation(json, report, summary);
  text_append(json, ",\n      \"columnKind\": \"utf16CodeUnits\",\n      ");
  append_results(json, report, summary);
  text_append(json, "\n    }\n  ]\n}\n");
}
