/* SPDX-License-Identifier: MIT */
#include "explore/loop/findings.h"

#include "explore/executor/knowledge.h"
#include "explore/loop/minimise.h"
#include "trace/tables.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define MAX_OUTPUT_BYTES (1 << 20)

/* --- is it the same? --- */

/* Where a vanished run was when it ended is chance. */
static bool place_is_exact(uint32_t outcome) {
  return outcome != OUTCOME_VANISHED;
}

static bool waits_at(const struct trace_view *view, const struct pending *wanted) {
  for (uint32_t i = 0; i < view->record->n_pending; i++) {
    const struct pending *pending = &view->pendings[i];
    if (pending_loops(wanted) && pending->object != wanted->object) continue;
    if (pending->blocked && pending->site == wanted->site && pending->kind == wanted->kind) return true;
  }
  return false;
}

static bool waits_cover(const struct trace_view *a, const struct trace_view *b) {
  for (uint32_t i = 0; i < a->record->n_pending; i++)
    if (a->pendings[i].blocked && !waits_at(b, &a->pendings[i])) return false;
  return true;
}

/* The two places of a data race, whichever thread comes first. */
static bool same_race(const struct trace *x, const struct trace *y) {
  const site_id x_other = (site_id)x->status, y_other = (site_id)y->status;
  return (x->site == y->site && x_other == y_other) || (x->site == y_other && x_other == y->site);
}

bool finding_same_bug(const struct trace_view *a, const struct trace_view *b) {
  const struct trace *x = a->record, *y = b->record;
  if (x->outcome != y->outcome) return false;
  if (x->outcome == OUTCOME_VANISHED) return x->status == y->status;
  if (!place_is_exact(x->outcome)) return true;
  if (x->outcome == OUTCOME_DEADLOCK || x->outcome == OUTCOME_LIVELOCK) return waits_cover(a, b) && waits_cover(b, a);
  if (x->outcome == OUTCOME_DATA_RACE) return same_race(x, y);
  return x->site == y->site && x->instruction == y->instruction && x->status == y->status;
}

bool finding_same_failure(const struct trace_view *a, const struct trace_view *b) {
  if (!finding_same_bug(a, b)) return false;
  return !place_is_exact(a->record->outcome) ||
         (a->record->thread == b->record->thread && a->record->n_steps == b->record->n_steps);
}

/* --- repeating --- */

/* A file in memory that cannot grow: a program may print without end. */
static int open_output(void) {
  const int file = memfd_create("heddle-output", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (file < 0) return -1;
  if (ftruncate(file, MAX_OUTPUT_BYTES) == 0 && fcntl(file, F_ADD_SEALS, F_SEAL_GROW | F_SEAL_SHRINK) == 0) return file;
  close(file);
  return -1;
}

/* The program's descriptor is a copy of ours: where it stands is how much was printed. */
static void read_output(struct text *output, int file) {
  char buffer[4096];
  size_t left = (size_t)lseek(file, 0, SEEK_CUR);
  ssize_t count;
  lseek(file, 0, SEEK_SET);
  while (left > 0 && (count = read(file, buffer, left < sizeof buffer ? left : sizeof buffer)) > 0) {
    text_append_bytes(output, buffer, (size_t)count);
    left -= (size_t)count;
  }
}

static void keep_trace(struct finding *finding, const struct trace_view *view) {
  free(finding->record);
  finding->record = trace_copy(view);
  BUG_ON(!trace_open(&finding->trace, finding->record, finding->record->size_bytes));
}

void finding_submit(const struct finding *finding, struct executor *executor, uint32_t flags) {
  knowledge_copy_threads(executor_knowledge(executor), finding->knowledge);
  knowledge_copy_shared(executor_knowledge(executor), finding->knowledge);
  const uint32_t random_inputs = finding->random_inputs ? PLAN_RANDOM_INPUTS : 0;
  const struct plan plan = {.flags = flags | random_inputs | PLAN_OUTPUT | PLAN_PUBLISH_ALL,
                            .seed = finding->seed,
                            .runs = 1,
                            .policy = finding->policy,
                            .priority_changes = finding->priority_changes,
                            .expected_steps = finding->expected_steps};
  executor_submit(executor, &plan, finding->schedule.items, finding->schedule.count, finding->inputs.items,
                  finding->inputs.count);
}

static bool repeat_with_output(struct finding *finding, const struct executor_settings *settings, struct error *error) {
  struct executor *executor = executor_create(settings, error);
  if (!executor) return false;
  finding_submit(finding, executor, PLAN_BLOCKS);
  struct reply reply;
  const bool answered = executor_finish_plan(executor, &reply, error);
  if (answered) {
    keep_trace(finding, &reply.trace);
    knowledge_copy_threads(finding->knowledge, executor_knowledge(executor)); /* and those that are new */
  }
  executor_destroy(executor);
  return answered;
}

bool finding_repeat(struct finding *finding, const struct executor_settings *settings, struct error *error) {
  struct executor_settings with_output = *settings;
  with_output.output = open_output();
  if (with_output.output < 0) return error_set_errno(error, "cannot keep the program's output");
  const bool repeated = repeat_with_output(finding, &with_output, error);
  text_clear(&finding->output);
  if (repeated) read_output(&finding->output, with_output.output);
  close(with_output.output);
  return repeated;
}

/* --- collecting --- */

/* A step that ends the run may not have come to its event. */
void finding_append_schedule(struct schedule *schedule, const struct trace_view *view) {
  schedule_append_trace(schedule, view);
  const struct step last = {view->record->thread, 0};
  if (schedule->count + 1 == view->record->n_steps && last.thread < HEDDLE_MAX_THREADS)
    schedule_append(schedule, &last, 1);
}

static void append_inputs(input_values *list, const struct input_value *values, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (values[i].value[0] || values[i].value[1]) vector_push(list, values[i]);
}

/* What the run had; a run that vanished has not said it, so what it was given. */
static void take_inputs(struct finding *finding, const struct reply *reply) {
  const struct trace *record = reply->trace.record;
  append_inputs(&finding->inputs, reply->trace.input_values, record->n_input_values);
  if (record->outcome != OUTCOME_VANISHED || record->n_input_values > 0) return;
  append_inputs(&finding->inputs, plan_inputs(reply->plan), reply->plan->n_inputs);
  finding->random_inputs = reply->plan->flags & PLAN_RANDOM_INPUTS;
}

static struct finding *finding_of(const struct reply *reply) {
  struct finding *finding = memory_allocate(sizeof *finding);
  const struct plan *plan = reply->plan;
  finding->runs = 1;
  finding->seed = reply->trace.record->seed;
  finding->policy = plan->policy;
  finding->priority_changes = plan->priority_changes;
  finding->expected_steps = plan->expected_steps;
  const size_t known = plan->record_from < plan->n_steps ? plan->record_from : plan->n_steps;
  schedule_append(&finding->schedule, plan_steps(plan), known);
  finding_append_schedule(&finding->schedule, &reply->trace);
  take_inputs(finding, reply);
  finding->knowledge = memory_allocate(sizeof *finding->knowledge);
  return finding;
}

void finding_free(struct finding *finding) {
  vector_free(&finding->schedule);
  vector_free(&finding->inputs);
  free(finding->record);
  text_free(&finding->output);
  free(finding->knowledge);
  free(finding);
}

void findings_free(struct findings *findings) {
  for (size_t i = 0; i < findings->list.count; i++) finding_free(findings->list.items[i]);
  for (size_t i = 0; i < findings->lost.count; i++) free(findings->lost.items[i]);
  vector_free(&findings->list);
  vector_free(&findings->lost);
}

static struct finding *find_known(const struct findings *findings, const struct trace_view *view) {
  for (size_t i = 0; i < findings->list.count; i++)
    if (finding_same_bug(&findings->list.items[i]->trace, view)) return findings->list.items[i];
  return NULL;
}

static bool was_lost(const struct findings *findings, const struct trace_view *view) {
  for (size_t i = 0; i < findings->lost.count; i++) {
    struct trace_view lost;
    BUG_ON(!trace_open(&lost, findings->lost.items[i], findings->lost.items[i]->size_bytes));
    if (finding_same_bug(&lost, view)) return true;
  }
  return false;
}

/* The repetition ended with the failure, the first run only when the other threads had ended (PLAN_LATE_END). */
static bool ended_earlier(const struct trace_view *first, const struct trace_view *repetition) {
  return finding_same_bug(first, repetition) && first->record->thread == repetition->record->thread &&
         repetition->record->n_steps < first->record->n_steps;
}

static bool fails_again(struct finding *finding, const struct trace_view *first,
                        const struct executor_settings *settings, const struct knowledge *known) {
  struct error error = {0};
  knowledge_copy_shared(finding->knowledge, known);
  if (!finding_repeat(finding, settings, &error)) return false;
  if (!ended_earlier(first, &finding->trace)) return finding_same_failure(first, &finding->trace);
  struct trace *record = trace_copy(&finding->trace);
  struct trace_view repetition;
  BUG_ON(!trace_open(&repetition, record, record->size_bytes));
  const bool fails = finding_repeat(finding, settings, &error) && finding_same_failure(&repetition, &finding->trace);
  free(record);
  return fails;
}

static const struct event *next_step(const struct trace_view *view, uint32_t *i) {
  while (*i < view->record->n_events) {
    const struct event *event = &view->events[(*i)++];
    if (event_is_step(event)) return event;
  }
  return NULL;
}

static bool same_step(const struct event *a, const struct event *b) {
  return a->thread == b->thread && a->kind == b->kind && a->object == b->object && a->value == b->value;
}

/* The number of the first step, from 1, in which the repetition differs. The first run is recorded from a later step
 * on. */
static uint32_t parting_step(const struct trace_view *first, uint32_t record_from,
                             const struct trace_view *repetition) {
  uint32_t i = 0, j = 0, step = 1;
  while (step <= record_from && next_step(repetition, &j)) step++;
  for (;; step++) {
    const struct event *a = next_step(first, &i), *b = next_step(repetition, &j);
    if (!a || !b || !same_step(a, b)) return step;
  }
}

static void explain_loss(struct text *words, const struct finding *finding, const struct reply *reply) {
  const struct trace *first = reply->trace.record;
  text_append_format(words, "a run ended with \"%s\" after %u steps and could not be repeated",
                     outcome_row(first->outcome)->words, first->n_steps);
  if (!finding->record) return;
  text_append_format(words, ": the repetition ended with \"%s\" after %u steps; they part at step %u",
                     outcome_row(finding->record->outcome)->words, finding->record->n_steps,
                     parting_step(&reply->trace, reply->plan->record_from, &finding->trace));
}

static void explain_lateness(struct text *words, const struct reply *reply) {
  text_append_format(words, "a run ended with \"%s\" after %u steps; there was no time to repeat it",
                     outcome_row(reply->trace.record->outcome)->words, reply->trace.record->n_steps);
}

/* In a plan of several runs, an earlier one may have found more to be shared than was known when the plan began; so
 * what is known now is tried as well. */
static bool confirm(struct finding *finding, const struct trace_view *first, const struct executor_settings *settings,
                    const struct knowledge *known, const struct knowledge *now) {
  if (fails_again(finding, first, settings, known)) return true;
  return !knowledge_same_shared(known, now) && fails_again(finding, first, settings, now);
}

enum finding_result findings_add(struct findings *findings, const struct reply *reply, enum isolation isolation,
                                 const struct knowledge *known, const struct knowledge *now, struct text *words) {
  struct finding *same = find_known(findings, &reply->trace);
  if (same) {
    same->runs++;
    return FINDING_KNOWN;
  }
  if (was_lost(findings, &reply->trace)) return FINDING_KNOWN;
  struct executor_settings settings = *findings->settings;
  settings.isolation = isolation;
  struct finding *finding = finding_of(reply);
  knowledge_copy_threads(finding->knowledge, now);
  if (!confirm(finding, &reply->trace, &settings, known, now)) {
    if (settings.deadline && settings.deadline->is_over) {
      explain_lateness(words, reply);
      finding_free(finding);
      return FINDING_LATE;
    }
    explain_loss(words, finding, reply);
    vector_push(&findings->lost, trace_copy(&reply->trace));
    finding_free(finding);
    return FINDING_LOST;
  }
  finding_minimise(finding, &settings, findings->minimise_runs);
  vector_push(&findings->list, finding);
  finding->number = (uint32_t)findings->list.count;
  return FINDING_NEW;
}
