/* SPDX-License-Identifier: MIT */
#include "report/bundle.h"

#include "base/files.h"
#include "explore/executor/knowledge.h"
#include "report/environment.h"
#include "report/report.h"
#include "report/shown_inputs.h"
#include "report/testcase.h"
#include "trace/tables.h"

#include <stdlib.h>
#include <string.h>

/* An argument may contain anything: a backslash and what would end the line are written \\ and \n. */
static void append_argument(struct text *text, const char *word, const char *argument) {
  text_append(text, word);
  for (; *argument; argument++) {
    if (*argument == '\n')
      text_append(text, "\\n");
    else if (*argument == '\\')
      text_append(text, "\\\\");
    else
      text_append_bytes(text, argument, 1);
  }
  text_append(text, "\n");
}

static bool append_environment(struct text *text, const char *program, struct error *error) {
  environment_list variables = {0};
  const bool good = environment_list_named(&variables, program, error);
  for (size_t i = 0; i < variables.count; i++) append_argument(text, "environment ", variables.items[i]);
  environment_free(&variables);
  return good;
}

static bool append_schedule(struct text *text, const struct report *report, const struct finding *finding,
                            struct error *error) {
  uint64_t hash;
  if (!files_hash(report->executor->executable, &hash, error)) return false;
  text_append_format(text, "heddle schedule\nprotocol %u\nprogram %016llx\n", HEDDLE_PROTOCOL_VERSION,
                     (unsigned long long)hash);
  text_append_format(text, "seed %llu\npolicy %u %u %u\n", (unsigned long long)finding->seed, finding->policy,
                     finding->priority_changes, finding->expected_steps);
  const struct executor_settings *settings = report->executor;
  text_append_format(text, "max-events %u\nmax-memory %u\nmax-threads %u\nhang-time %u\nisolation %u\noptions %u\n",
                     settings->max_events, settings->max_memory_mb, settings->max_threads, settings->hang_seconds,
                     settings->isolation, settings->options);
  text_append_format(text, "max-terms %u\nsym-args %u %u\nsym-stdin %u\n", settings->max_terms,
                     settings->symbolic_arguments, settings->symbolic_argument_bytes, settings->symbolic_stdin_bytes);
  text_append_format(text, "switches %u of %u\n", finding->record->switches, finding->found_switches);
  for (const char *const *argument = settings->arguments; *argument; argument++)
    append_argument(text, "argument ", *argument);
  if (!append_environment(text, settings->executable, error)) return false;
  text_append_format(text, "steps %zu\n", finding->schedule.count);
  for (size_t i = 0; i < finding->schedule.count; i++)
    text_append_format(text, "%u %u\n", finding->schedule.items[i].thread, finding->schedule.items[i].alternative);
  return true;
}

/* Values of inputs are in inputs.json, too, which people may edit; here also those of a run that has not said any. */
static void append_plan(struct text *text, const struct report *report, const struct finding *finding) {
  const uint32_t n_steps = (uint32_t)finding->schedule.count, n_inputs = (uint32_t)finding->inputs.count;
  const size_t steps_bytes = n_steps * sizeof(struct step), inputs_bytes = n_inputs * sizeof(struct input_value);
  const struct plan plan = {.form = RECORD_PLAN,
                            .size_bytes = (uint32_t)(sizeof plan + plan_steps_bytes(n_steps) + inputs_bytes),
                            .seed = finding->seed,
                            .flags = finding->random_inputs ? PLAN_RANDOM_INPUTS : 0,
                            .runs = 1,
                            .policy = finding->policy,
                            .priority_changes = finding->priority_changes,
                            .expected_steps = finding->expected_steps,
                            .max_events = report->executor->max_events,
                            .n_steps = n_steps,
                            .n_inputs = n_inputs};
  written_add_bytes(text, &plan, sizeof plan);
  written_add_bytes(text, finding->schedule.items, steps_bytes);
  written_add_bytes(text, (const char[8]){0}, plan_steps_bytes(n_steps) - steps_bytes);
  written_add_bytes(text, finding->inputs.items, inputs_bytes);
  struct plan *const record = (struct plan *)text->string;
  record->check = record_check(record, record->size_bytes, NO_GENERATION);
}

static void append_knowledge(struct text *text, const struct knowledge *knowledge) {
  const uint32_t n_threads = knowledge_threads(knowledge), n_shared = knowledge_shared(knowledge);
  text_append_format(text, "heddle knowledge\nthreads %u\n", n_threads);
  for (uint32_t i = 0; i < n_threads; i++)
    text_append_format(text, "%u %u\n", knowledge->threads[i].parent, knowledge->threads[i].index);
  text_append_format(text, "shared %u\n", n_shared);
  for (uint32_t i = 0; i < n_shared; i++)
    text_append_format(text, "%llx %llx\n", (unsigned long long)knowledge->shared[i].address,
                       (unsigned long long)knowledge->shared[i].mask);
}

static bool write_file(const char *directory, const char *name, const void *bytes, size_t count, struct error *error) {
  char *path = files_join(directory, name);
  const bool written = files_write(path, bytes, count, error);
  free(path);
  return written;
}

static bool write_text(const char *directory, const char *name, struct text *text, struct error *error) {
  const bool written = write_file(directory, name, text_string(text), text->length, error);
  text_clear(text);
  return written;
}

static bool copy_program(const struct report *report, const char *directory, struct error *error) {
  char *path = files_join(directory, "program");
  const bool copied = files_copy(report->executor->executable, path, error);
  free(path);
  return copied;
}

/* Only of programs that have inputs. */
static bool write_inputs(const char *directory, const struct finding *finding, struct text *text, struct error *error) {
  if (finding->record->n_inputs == 0) return true;
  inputs_append_file(text, finding->knowledge, &finding->trace);
  if (!write_text(directory, "inputs.json", text, error)) return false;
  testcase_append(text, &finding->trace);
  return write_text(directory, "testcase.xml", text, error);
}

/* Only of runs that failed. */
static bool write_finding(const struct report *report, const char *directory, const struct finding *finding,
                          struct text *text, struct error *error) {
  if (!outcome_is_bug(finding->record->outcome)) return true;
  json_append_bug(text, report, finding);
  text_append(text, "\n");
  return write_text(directory, "finding.json", text, error);
}

static bool write_files(const struct report *report, const char *directory, const struct finding *finding,
                        struct text *text, struct error *error) {
  if (!files_make_directory(directory, error) || !copy_program(report, directory, error)) return false;
  if (!append_schedule(text, report, finding, error)) return false;
  if (!write_text(directory, "schedule", text, error)) return false;
  append_plan(text, report, finding);
  if (!write_text(directory, "plan", text, error)) return false;
  append_knowledge(text, finding->knowledge);
  if (!write_text(directory, "knowledge", text, error)) return false;
  if (!write_finding(report, directory, finding, text, error) || !write_inputs(directory, finding, text, error))
    return false;
  return write_file(directory, "output", text_string(&finding->output), finding->output.length, error) &&
         write_file(directory, "trace", finding->record, finding->record->size_bytes, error);
}

bool bundle_write(const struct report *report, const char *directory, const struct finding *finding,
                  struct error *error) {
  struct text text = {0};
  const bool written = write_files(report, directory, finding, &text, error);
  text_free(&text);
  return written;
}

static bool write_in_place(struct report *report, const struct finding *finding, struct error *error) {
  char *aside;
  if (!bundle_place_take(&report->place, finding->number, &aside, error)) return false;
  const bool kept =
      bundle_write(report, aside, finding, error) && bundle_place_put(&report->place, finding->number, aside, error);
  if (!kept) bundle_place_drop(&report->place, finding->number, aside);
  free(aside);
  return kept;
}

static void bug(void *self, const struct finding *finding) {
  struct report *report = self;
  if (!write_in_place(report, finding, &report->error)) report->failed = true;
}

struct observer bundle_observer(struct report *report) {
  return (struct observer){.self = report, .bug = bug};
}
