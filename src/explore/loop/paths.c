/* SPDX-License-Identifier: MIT
 *
 * What the decisions of runs mean for the exploration as a whole: which paths there were, where values that depend on
 * inputs were made concrete, and what that leaves open.
 */
#include "explore/loop/internal.h"

#include "explore/inputs/sides.h"
#include "trace/tables.h"

#include <stdlib.h>

static int compare_places(const struct concretisation *a, site_id site, enum pin_reason why) {
  if (a->site != site) return a->site < site ? -1 : 1;
  return (a->why > why) - (a->why < why);
}

/* The list is sorted and short: one entry per place of the program. */
static void count_concretisation(struct exploration *self, const struct decision *decision) {
  size_t low = 0, high = self->concretised.count;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (compare_places(&self->concretised.items[middle], decision->site, decision->why) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  if (low < self->concretised.count &&
      compare_places(&self->concretised.items[low], decision->site, decision->why) == 0) {
    self->concretised.items[low].times++;
    return;
  }
  const struct concretisation place = {decision->site, decision->why, 1};
  vector_push(&self->concretised, place);
  for (size_t i = self->concretised.count - 1; i > low; i--)
    self->concretised.items[i] = self->concretised.items[i - 1];
  self->concretised.items[low] = place;
}

static uint64_t count_inputs(const struct trace_view *trace) {
  uint64_t count = 0;
  for (uint32_t i = 0; i < trace->record->n_inputs; i++) count += trace->inputs[i].count;
  return count;
}

/* Where a run ended because an address belongs to no object, nothing was made concrete. */
static void count_concretisations(struct exploration *self, const struct trace_view *trace) {
  const struct trace *record = trace->record;
  for (uint32_t i = 0; i < record->n_decisions; i++) {
    const struct decision *decision = &trace->decisions[i];
    const bool ends_run = i + 1 == record->n_decisions && outcome_is_bug(record->outcome);
    if (!decision_is_pin(decision) || (ends_run && decision->kind == DECISION_ADDRESS)) continue;
    count_concretisation(self, decision);
  }
}

/* Runs that say nothing about the program have no path. */
static bool has_path(const struct trace_view *trace) {
  const enum outcome_class class = outcome_row(trace->record->outcome)->class;
  return class != OUTCOME_DISCARDED && class != OUTCOME_INTERNAL;
}

const struct path *exploration_read_path(struct exploration *self, const struct trace_view *trace) {
  const struct path *path = inputs_read(self->inputs, trace);
  if (trace->record->flags & TRACE_TERMS_FULL) exploration_note_incomplete(self, REASON_TERMS);
  if (!path) return NULL;
  const uint64_t inputs = count_inputs(trace);
  if (inputs > self->summary.inputs) self->summary.inputs = inputs;
  count_concretisations(self, trace);
  if (!has_path(trace) || !number_set_add(&self->paths, path->hash)) return path;
  self->summary.paths++;
  exploration_tell_path(self, trace);
  return path;
}

void exploration_summarise_inputs(struct exploration *self) {
  struct summary *summary = &self->summary;
  inputs_get_statistics(self->inputs, &self->solver);
  summary->solver = self->solver.queries > 0 ? &self->solver : NULL;
  summary->concretised = self->concretised.items;
  summary->n_concretised = self->concretised.count;
}

static void note_defects(struct exploration *self) {
  const char *words;
  const uint64_t mismatches = inputs_mismatches(self->inputs, &words);
  inputs_get_statistics(self->inputs, &self->solver);
  struct text text = {0};
  if (mismatches > 0)
    text_append_format(&text, "defect of heddle: %llu terms do not have the value they had in the run; the first: %s",
                       (unsigned long long)mismatches, words);
  else if (self->solver.wrong > 0)
    text_append_format(&text, "defect of heddle: %llu answers of the solver are wrong",
                       (unsigned long long)self->solver.wrong);
  if (text.length > 0) {
    exploration_warn(self, text_string(&text));
    exploration_note_incomplete(self, REASON_WRONG_TERMS);
  }
  text_free(&text);
}

void exploration_note_inputs(struct exploration *self, const struct strategy_stats *stats) {
  note_defects(self);
  if (self->summary.inputs > 0 && !self->settings->strategy->explores_inputs)
    exploration_note_incomplete(self, REASON_FIXED_INPUTS);
  if (stats->lost) exploration_note_incomplete(self, REASON_LOST);
  if (stats->unsolved) exploration_note_incomplete(self, REASON_SOLVER);
  if (stats->addresses_left) exploration_note_incomplete(self, REASON_ADDRESSES);
  if (stats->made_concrete) exploration_note_incomplete(self, REASON_CONCRETE);
}
