/* SPDX-License-Identifier: MIT
 *
 * Reads bytes as a plan and as a trace, and if they are one, all that is in it. Whatever the bytes are, nothing outside
 * them may be read: a sanitizer says when it is.
 */
#ifndef HEDDLE_TESTS_READ_RECORD_H
#define HEDDLE_TESTS_READ_RECORD_H

#include "explore/executor/knowledge.h"

#include <stdlib.h>
#include <string.h>

static uint64_t read_bytes(const void *bytes, uint64_t count) {
  uint64_t sum = 0;
  for (uint64_t i = 0; i < count; i++) sum += ((const unsigned char *)bytes)[i];
  return sum;
}

static uint64_t read_plan(const struct plan *plan) {
  return read_bytes(plan_steps(plan), plan->n_steps * sizeof(struct step)) +
         read_bytes(plan_inputs(plan), plan->n_inputs * sizeof *plan_inputs(plan)) +
         read_bytes(plan_sleepers(plan), plan->n_sleepers * sizeof *plan_sleepers(plan));
}

static uint64_t read_steps(const struct trace_view *view) {
  struct schedule schedule = {0};
  uint64_t sum = 0;
  schedule_append_trace(&schedule, view);
  for (uint32_t i = 0; i < view->record->n_events; i++) {
    const struct event *event = &view->events[i];
    if (!event_is_step(event)) continue;
    sum += read_bytes(trace_enabled_set(view, event), trace_enabled_words(view, event) * sizeof(uint64_t));
    sum += trace_was_enabled(view, event, HEDDLE_MAX_THREADS - 1);
  }
  sum += schedule.count;
  free(schedule.items);
  return sum;
}

static uint64_t read_symbols(const struct trace_view *view) {
  const struct trace *record = view->record;
  uint64_t sum = 0;
  for (uint32_t i = 0; i < record->n_decisions; i++) sum += view->terms[view->decisions[i].term - 1].width;
  for (uint32_t i = 0; i < record->n_inputs; i++)
    sum += read_bytes(view->names + view->inputs[i].name_offset, view->inputs[i].name_bytes);
  for (uint32_t i = 0; i < record->n_accesses; i++) sum += view->events[view->accesses[i].event].kind;
  return sum;
}

static uint64_t read_additions(const struct trace_view *view) {
  const struct addition *adds = &view->record->adds;
  return read_bytes(view->adds.shared, adds->n_shared * sizeof *view->adds.shared) +
         read_bytes(view->adds.warnings, adds->n_warnings * sizeof *view->adds.warnings) +
         read_bytes(view->adds.observed, adds->n_observed * sizeof *view->adds.observed) +
         read_bytes(view->adds.touches, adds->n_touches * sizeof *view->adds.touches) +
         read_bytes(view->adds.births, adds->n_births * sizeof *view->adds.births) +
         read_bytes(view->adds.threads, adds->n_threads * sizeof *view->adds.threads) +
         read_bytes(view->adds.covered, adds->n_covered * sizeof *view->adds.covered) +
         read_bytes(view->adds.observed_text, adds->observed_bytes);
}

/* The sums that fit what the trace adds, if anything does: to what a process knows at first. */
static void make_fit(struct trace *record, const struct trace_view *view, struct knowledge *knowledge) {
  const char *text = view->adds.observed_text;
  record->version = knowledge->version + (uint64_t)addition_changes_runs(&record->adds);
  record->seal = sealed_thread(0, knowledge->threads[0]) + sealed_most_threads(record->adds.most_threads);
  for (uint32_t i = 0; i < record->adds.n_shared; i++) {
    const struct granule_addition *granule = &view->adds.shared[i];
    record->seal +=
        sealed_shared(granule->place, (struct shared_granule){granule->address, granule->mask}, granule->cuts);
  }
  for (uint32_t i = 0; i < record->adds.n_threads; i++) record->seal += sealed_thread(1 + i, view->adds.threads[i]);
  for (uint32_t i = 0; i < record->adds.n_warnings; i++) record->seal += sealed_warning(i, &view->adds.warnings[i]);
  for (uint32_t i = 0; i < record->adds.n_touches; i++) record->seal += sealed_touch(i, &view->adds.touches[i]);
  for (uint32_t i = 0; i < record->adds.n_births; i++) record->seal += sealed_birth(i, view->adds.births[i]);
  record->adds.observed_sum = 0;
  for (uint32_t i = 0; i < record->adds.n_observed; i++) {
    const struct observed_addition *observed = &view->adds.observed[i];
    record->adds.observed_sum +=
        sealed_observed(i, text_hash(text, observed->text_bytes), observed->text_bytes, observed->runs);
    text += observed->text_bytes;
  }
}

/* Returns whether it was taken. */
static bool take_additions(struct trace *record, const struct trace_view *view) {
  static struct knowledge knowledge;
  static struct observations observations;
  knowledge.threads[0] = (struct thread_name){NO_THREAD, 0};
  knowledge.n_threads = 1;
  knowledge.n_shared = knowledge.n_warnings = knowledge.most_threads = 0;
  knowledge.n_touches = knowledge.n_births = 0;
  knowledge_seal(&knowledge);
  observations.n_observed = observations.text_bytes = 0;
  make_fit(record, view, &knowledge);
  return knowledge_take(&knowledge, &observations, view) && knowledge_is_sound(&knowledge);
}

static uint64_t read_trace(const struct trace_view *view) {
  const struct trace *record = view->record;
  return read_steps(view) + read_symbols(view) + read_additions(view) + strlen(view->message) +
         read_bytes(view->pendings, record->n_pending * sizeof *view->pendings) +
         read_bytes(view->blocks, record->n_blocks * sizeof *view->blocks) +
         read_bytes(view->terms, record->n_terms * sizeof *view->terms) +
         read_bytes(view->input_values, record->n_input_values * sizeof *view->input_values) +
         read_bytes(view->covered, record->n_covered * sizeof *view->covered);
}

/* How often the bytes were a plan, a trace with the right sum, a trace, and one whose additions could be taken. */
struct records_read {
  uint64_t plans, intact, traces, taken;
};

/* From a copy of just that size. */
static void read_record(const void *bytes, size_t size, struct records_read *read) {
  static volatile uint64_t sum; /* so that reading is not left out */
  void *copy = malloc(size ? size : 1);
  struct trace_view view;
  memcpy(copy, bytes, size);
  if (plan_is_sound(copy, size)) sum += read_plan(copy), read->plans++;
  if (trace_read(&view, copy, size, NO_GENERATION)) sum += read_trace(&view), read->intact++;
  if (trace_open(&view, copy, size)) {
    sum += read_trace(&view), read->traces++;
    read->taken += take_additions(copy, &view);
  }
  free(copy);
}

#endif
