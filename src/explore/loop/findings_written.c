/* SPDX-License-Identifier: MIT
 *
 * The written form of what was found: of findings, and of failures that did not happen again. What is still examined is
 * not written: the loop waits for it first.
 */
#include "base/error.h"
#include "explore/executor/known_written.h"
#include "explore/loop/findings.h"

#include <stdlib.h>
#include <string.h>

static void write_record(const struct trace *record, struct text *state) {
  written_add_text(state, (const char *)record, record->size_bytes);
}

/* NULL: it is no trace. */
static struct trace *read_record(struct written *state, struct trace_view *view) {
  size_t size_bytes;
  const char *bytes = written_take_text(state, &size_bytes);
  struct trace *record = memory_allocate(size_bytes + 1);
  memcpy(record, bytes, size_bytes);
  if (!state->failed && trace_read(view, record, size_bytes, NO_GENERATION)) return record;
  written_refuse(state);
  free(record);
  return NULL;
}

static void write_finding(const struct finding *finding, struct text *state) {
  written_add_number(state, finding->runs);
  written_add_number(state, finding->seed);
  written_add_number(state, finding->policy);
  written_add_number(state, finding->priority_changes);
  written_add_number(state, finding->expected_steps);
  written_add_number(state, finding->found_steps);
  written_add_number(state, finding->found_switches);
  written_add_number(state, finding->learning_run);
  written_add_number(state, finding->random_inputs);
  written_add_number(state, finding->schedule.count);
  written_add_bytes(state, finding->schedule.items, finding->schedule.count * sizeof *finding->schedule.items);
  written_add_number(state, finding->inputs.count);
  written_add_bytes(state, finding->inputs.items, finding->inputs.count * sizeof *finding->inputs.items);
  write_record(finding->record, state);
  written_add_text(state, text_string(&finding->output), finding->output.length);
  knowledge_write(finding->knowledge, state);
}

static void read_lists(struct finding *finding, struct written *state) {
  size_t count = written_take_count(state, sizeof *finding->schedule.items);
  written_take_bytes(state, schedule_extend(&finding->schedule, count), count * sizeof *finding->schedule.items);
  for (count = written_take_count(state, sizeof(struct input_value)); count > 0; count--) {
    struct input_value value;
    written_take_bytes(state, &value, sizeof value);
    vector_push(&finding->inputs, value);
  }
}

static bool read_finding(struct finding *finding, struct written *state) {
  size_t bytes;
  finding->runs = written_take_number(state);
  finding->seed = written_take_number(state);
  finding->policy = (enum policy)written_take_below(state, POLICY_PRIORITY + 1);
  finding->priority_changes = (uint32_t)written_take_below(state, 1ull << 32);
  finding->expected_steps = (uint32_t)written_take_below(state, 1ull << 32);
  finding->found_steps = (uint32_t)written_take_below(state, 1ull << 32);
  finding->found_switches = (uint32_t)written_take_below(state, 1ull << 32);
  finding->learning_run = written_take_number(state);
  finding->random_inputs = written_take_bool(state);
  read_lists(finding, state);
  finding->record = read_record(state, &finding->trace);
  const char *output = written_take_text(state, &bytes);
  text_append_bytes(&finding->output, output, bytes);
  finding->knowledge = memory_allocate(sizeof *finding->knowledge);
  return knowledge_read(finding->knowledge, state);
}

void findings_write(const struct findings *findings, struct text *state) {
  BUG_ON(findings->examined.count > 0);
  written_add_number(state, findings->list.count);
  for (size_t i = 0; i < findings->list.count; i++) write_finding(findings->list.items[i], state);
  written_add_number(state, findings->lost.count);
  for (size_t i = 0; i < findings->lost.count; i++) write_record(findings->lost.items[i], state);
}

bool findings_read(struct findings *findings, struct written *state) {
  for (size_t left = written_take_count(state, sizeof(struct trace)); left > 0 && !state->failed; left--) {
    struct finding *finding = memory_allocate(sizeof *finding);
    vector_push(&findings->list, finding);
    finding->number = (uint32_t)findings->list.count;
    if (!read_finding(finding, state)) return false;
  }
  for (size_t left = written_take_count(state, sizeof(struct trace)); left > 0 && !state->failed; left--) {
    struct trace_view view;
    struct trace *lost = read_record(state, &view);
    if (lost) vector_push(&findings->lost, lost);
  }
  return !state->failed;
}
