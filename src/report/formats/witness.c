/* SPDX-License-Identifier: MIT
 *
 * Violation witnesses of SV-COMP. GraphML, format 1.0: a path whose edges are what the threads did, in order, with the
 * line, the thread, and the thread that is created. YAML, format 2.0, knows no threads: it has the inputs and the place
 * of the violation, which say all of a program with one thread.
 */
#include "report/formats/formats.h"

#include "base/files.h"
#include "base/json.h"
#include "base/sha256.h"
#include "base/version.h"
#include "report/shown_inputs.h"
#include "report/testcase.h"
#include "trace/tables.h"

#include <string.h>

/* What every witness says about where it comes from. */
struct origin {
  const char *specification;
  struct text file;
  char hash[SHA256_HEX_BYTES], when[TESTCASE_TIME_BYTES];
};

static const char *specification_of(const struct finding *finding) {
  const char *kind = outcome_row(finding->record->outcome)->kind;
  if (strcmp(kind, "memory") == 0) return "CHECK( init(main()), LTL(G valid-deref) )";
  if (strcmp(kind, "data-race") == 0) return "CHECK( init(main()), LTL(G ! data-race) )";
  return "CHECK( init(main()), LTL(G ! call(reach_error())) )";
}

static void origin_make(struct origin *origin, const struct report *report, const struct finding *finding) {
  struct text contents = {0};
  struct error ignored = {0};
  *origin = (struct origin){.specification = specification_of(finding)};
  paths_append(&origin->file, &report->paths, report->source);
  files_read(report->source, &contents, &ignored);
  sha256_hex(origin->hash, text_string(&contents), contents.length);
  testcase_time(origin->when, report->source);
  text_free(&contents);
}

static const struct finding *first_bug(const struct summary *summary) {
  const struct findings *findings = summary->findings;
  for (size_t i = 0; i < findings->list.count; i++)
    if (report_is_sought(summary, findings->list.items[i])) return findings->list.items[i];
  return NULL;
}

/* --- GraphML --- */

static const char *const keys[][3] = {
    {"witness-type", "graph", "string"}, {"sourcecodelang", "graph", "string"},
    {"producer", "graph", "string"},     {"specification", "graph", "string"},
    {"programfile", "graph", "string"},  {"programhash", "graph", "string"},
    {"architecture", "graph", "string"}, {"creationtime", "graph", "string"},
    {"entry", "node", "boolean"},        {"violation", "node", "boolean"},
    {"threadId", "edge", "int"},         {"createThread", "edge", "int"},
    {"startline", "edge", "int"},        {"enterFunction", "edge", "string"},
    {"assumption", "edge", "string"},    {"assumption.resultfunction", "edge", "string"},
};

static void append_data(struct text *xml, const char *key, const char *value) {
  text_append_format(xml, "      <data key=\"%s\">", key);
  xml_append(xml, value);
  text_append(xml, "</data>\n");
}

static void append_number(struct text *xml, const char *key, uint64_t number) {
  text_append_format(xml, "      <data key=\"%s\">%llu</data>\n", key, (unsigned long long)number);
}

static void append_keys(struct text *xml) {
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    text_append_format(xml, "  <key id=\"%s\" for=\"%s\" attr.name=\"%s\" attr.type=\"%s\"/>\n", keys[i][0], keys[i][1],
                       keys[i][0], keys[i][2]);
}

static void append_graph_data(struct text *xml, const struct origin *origin) {
  append_data(xml, "witness-type", "violation_witness");
  append_data(xml, "sourcecodelang", "C");
  append_data(xml, "producer", "heddle " HEDDLE_VERSION);
  append_data(xml, "specification", origin->specification);
  append_data(xml, "programfile", text_string(&origin->file));
  append_data(xml, "programhash", origin->hash);
  append_data(xml, "architecture", "64bit");
  append_data(xml, "creationtime", origin->when);
}

static void append_node(struct text *xml, uint32_t node, bool is_entry, bool is_violation) {
  text_append_format(xml, "    <node id=\"N%u\">\n", node);
  if (is_entry) append_data(xml, "entry", "true");
  if (is_violation) append_data(xml, "violation", "true");
  text_append(xml, "    </node>\n");
}

static void open_edge(struct text *xml, uint32_t *node, thread_id thread, uint32_t line) {
  text_append_format(xml, "    <edge source=\"N%u\" target=\"N%u\">\n", *node, *node + 1);
  ++*node;
  append_number(xml, "threadId", thread);
  if (line) append_number(xml, "startline", line);
}

static void append_edge(struct text *xml, uint32_t *node, const struct scene *scene, const struct event *event) {
  open_edge(xml, node, event->thread, program_place(scene->program, event->site).line);
  if (event_effect_of(event) == EFFECT_CREATES) {
    const char *start = thread_start_routine(scene, (thread_id)event->object);
    append_number(xml, "createThread", event->object);
    if (*start) append_data(xml, "enterFunction", start);
  }
  text_append(xml, "    </edge>\n");
}

/* The program's functions that give inputs; what they returned is assumed where they were called. */
static void append_input(struct text *xml, uint32_t *node, const struct scene *scene,
                         const struct input_record *input) {
  struct text value = {0};
  text_append(&value, "\\result == ");
  input_append_number(&value, scene->trace, input, 0);
  open_edge(xml, node, input->thread, program_place(scene->program, input->site).line);
  append_data(xml, "assumption", text_string(&value));
  append_data(xml, "assumption.resultfunction", program_place(scene->program, input->site).variable);
  text_append(xml, "    </edge>\n");
  text_free(&value);
}

static void append_path(struct text *xml, const struct scene *scene) {
  const struct trace *record = scene->trace->record;
  uint32_t node = 0;
  struct text edges = {0};
  open_edge(&edges, &node, 0, 0);
  append_data(&edges, "enterFunction", "main");
  text_append(&edges, "    </edge>\n");
  for (uint32_t i = 0; i < record->n_inputs; i++)
    if (scene->trace->inputs[i].count == 1) append_input(&edges, &node, scene, &scene->trace->inputs[i]);
  for (uint32_t i = 0; i < record->n_events; i++) append_edge(&edges, &node, scene, &scene->trace->events[i]);
  open_edge(&edges, &node, record->thread < HEDDLE_MAX_THREADS ? record->thread : 0, failure_place(scene).line);
  text_append(&edges, "    </edge>\n");
  for (uint32_t i = 0; i <= node; i++) append_node(xml, i, i == 0, i == node);
  text_append(xml, text_string(&edges));
  text_free(&edges);
}

static void append_graphml(struct text *xml, const struct scene *scene, const struct origin *origin) {
  text_append(xml, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                   "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\" "
                   "xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">\n");
  append_keys(xml);
  text_append(xml, "  <graph edgedefault=\"directed\">\n");
  append_graph_data(xml, origin);
  append_path(xml, scene);
  text_append(xml, "  </graph>\n</graphml>\n");
}

/* --- YAML --- */

static void append_waypoint(struct text *yaml, const struct report *report, const char *type, struct place place,
                            const char *constraint) {
  struct text file = {0};
  paths_append(&file, &report->paths, place.file);
  text_append_format(yaml, "  - segment:\n    - waypoint:\n        type: %s\n        action: follow\n", type);
  if (constraint) {
    text_append(yaml, "        constraint:\n          value: ");
    json_append_string(yaml, constraint);
    text_append(yaml, "\n          format: ext_c_expression\n");
  }
  text_append(yaml, "        location:\n          file_name: ");
  json_append_string(yaml, text_string(&file));
  text_append_format(yaml, "\n          line: %u\n", place.line);
  text_free(&file);
}

static void append_origin(struct text *yaml, const struct origin *origin) {
  text_append_format(yaml,
                     "- entry_type: violation_sequence\n  metadata:\n    format_version: \"2.0\"\n"
                     "    uuid: \"%.8s-%.4s-4%.3s-8%.3s-%.12s\"\n    creation_time: \"%s\"\n    producer:\n"
                     "      name: heddle\n      version: \"%s\"\n    task:\n      input_files:\n      - ",
                     origin->hash, origin->hash + 8, origin->hash + 12, origin->hash + 15, origin->hash + 18,
                     origin->when, HEDDLE_VERSION);
  json_append_string(yaml, text_string(&origin->file));
  text_append(yaml, "\n      input_file_hashes:\n        ");
  json_append_string(yaml, text_string(&origin->file));
  text_append_format(yaml, ": \"%s\"\n      specification: ", origin->hash);
  json_append_string(yaml, origin->specification);
  text_append(yaml, "\n      data_model: LP64\n      language: C\n  content:\n");
}

static void append_yaml(struct text *yaml, const struct report *report, const struct scene *scene,
                        const struct origin *origin) {
  append_origin(yaml, origin);
  for (uint32_t i = 0; i < scene->trace->record->n_inputs; i++) {
    const struct input_record *input = &scene->trace->inputs[i];
    struct text value = {0};
    if (input->count != 1) continue;
    text_append(&value, "\\result == ");
    input_append_number(&value, scene->trace, input, 0);
    append_waypoint(yaml, report, "function_return", program_place(scene->program, input->site), text_string(&value));
    text_free(&value);
  }
  append_waypoint(yaml, report, "target", failure_place(scene), NULL);
}

void witness_append(struct text *text, const struct report *report, const struct summary *summary) {
  const struct finding *finding = first_bug(summary);
  struct origin origin;
  if (!finding) return;
  const struct scene scene = report_scene(report, finding);
  origin_make(&origin, report, finding);
  if (string_ends_with(report->witness, ".yml") || string_ends_with(report->witness, ".yaml"))
    append_yaml(text, report, &scene, &origin);
  else
    append_graphml(text, &scene, &origin);
  text_free(&origin.file);
}
