/* SPDX-License-Identifier: MIT */
#include "explore/loop/findings.h"

#include "explore/executor/knowledge.h"
#include "explore/loop/examine.h"

#include <stdlib.h>

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

/* --- collecting --- */

/* A step that ends the run may not have reached its event. */
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
  const uint32_t first = trace_first_step(reply->trace.record, plan);
  const size_t known = first < plan->n_steps ? first : plan->n_steps;
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
  for (size_t i = 0; i < findings->examined.count; i++) examination_destroy(findings->examined.items[i]);
  vector_free(&findings->examined);
  vector_free(&findings->list);
  vector_free(&findings->lost);
}

static struct finding *find_known(const struct findings *findings, const struct trace_view *view) {
  for (size_t i = 0; i < findings->list.count; i++)
    if (finding_same_bug(&findings->list.items[i]->trace, view)) return findings->list.items[i];
  return NULL;
}

/* A run that showed more memory to be shared may have been lost because of that: the next one may be repeated. */
static bool was_lost(const struct findings *findings, const struct trace_view *view) {
  for (size_t i = 0; i < findings->lost.count; i++) {
    struct trace_view lost;
    BUG_ON(!trace_open(&lost, findings->lost.items[i], findings->lost.items[i]->size_bytes));
    if (finding_same_bug(&lost, view) && !(lost.record->flags & TRACE_SHARED_GREW)) return true;
  }
  return false;
}

static bool is_examined(const struct findings *findings, const struct trace_view *view) {
  for (size_t i = 0; i < findings->examined.count; i++)
    if (examination_takes_run(findings->examined.items[i], view)) return true;
  return false;
}

struct examination *findings_examine(struct findings *findings, const struct reply *reply, enum isolation isolation,
                                     const struct knowledge *known, const struct knowledge *now) {
  struct finding *same = find_known(findings, &reply->trace);
  if (same) same->runs++;
  if (same || was_lost(findings, &reply->trace) || is_examined(findings, &reply->trace)) return NULL;
  struct finding *finding = finding_of(reply);
  knowledge_copy_threads(finding->knowledge, now);
  knowledge_copy_shared(finding->knowledge, known);
  const struct examination_settings settings = {findings->pool, findings->settings, isolation, findings->minimise_runs};
  struct examination *examination = examination_create(&settings, finding, reply, now);
  vector_push(&findings->examined, examination);
  return examination;
}

enum finding_result findings_conclude(struct findings *findings, struct text *words) {
  struct examination *examination = findings->examined.items[0];
  for (size_t i = 1; i < findings->examined.count; i++) findings->examined.items[i - 1] = findings->examined.items[i];
  findings->examined.count--;
  struct finding *finding = NULL;
  struct trace *lost = NULL;
  const enum finding_result result = examination_take_result(examination, &finding, &lost, words);
  if (lost) vector_push(&findings->lost, lost);
  if (finding) vector_push(&findings->list, finding);
  if (finding) finding->number = (uint32_t)findings->list.count;
  examination_destroy(examination);
  return result;
}
