/* SPDX-License-Identifier: MIT */
#include "trace/last_step.h"

#include "trace/tables.h"

#include <stdlib.h>

bool run_was_cut_short(const struct trace_view *trace) {
  const uint32_t outcome = trace->record->outcome;
  const enum outcome_class class = outcome_row(outcome)->class;
  if (outcome_is_at_rest(outcome)) return false;
  return class == OUTCOME_BUG || class == OUTCOME_DISCARDED;
}

static bool lacks_last_step(const struct trace_view *trace) {
  uint32_t n_steps = 0;
  if (!run_was_cut_short(trace) || trace->record->thread >= HEDDLE_MAX_THREADS) return false;
  for (uint32_t i = 0; i < trace->record->n_events; i++) n_steps += event_is_step(&trace->events[i]);
  return n_steps + 1 == trace->record->n_steps;
}

/* Of a set that has room for all threads that had not ended. */
static size_t words_of_set(const struct trace_view *trace) {
  thread_id highest = trace->record->thread;
  for (uint32_t i = 0; i < trace->record->n_pending; i++)
    if (trace->pendings[i].thread > highest) highest = trace->pendings[i].thread;
  return highest / 64u + 1;
}

static void add_thread(struct completed_trace *self, size_t n_words, thread_id thread) {
  self->words.items[self->words.count - n_words + thread / 64u] |= 1ull << thread % 64u;
}

/* A thread that could move when the run ended could move before the run's last step, which was not done. */
static void append_enabled(struct completed_trace *self, const struct trace_view *trace, size_t n_words) {
  for (size_t i = 0; i < n_words; i++) vector_push(&self->words, 0);
  add_thread(self, n_words, trace->record->thread);
  for (uint32_t i = 0; i < trace->record->n_pending; i++)
    if (!trace->pendings[i].blocked) add_thread(self, n_words, trace->pendings[i].thread);
}

bool trace_complete(struct completed_trace *self, const struct trace_view *trace, struct trace_view *view) {
  if (!lacks_last_step(trace)) return false;
  const size_t n_words = words_of_set(trace);
  self->events.count = self->words.count = 0;
  for (uint32_t i = 0; i < trace->record->n_events; i++) vector_push(&self->events, trace->events[i]);
  for (uint32_t i = 0; i < trace->record->n_words; i++) vector_push(&self->words, trace->words[i]);
  append_enabled(self, trace, n_words);
  const bool is_wide = n_words > 1;
  const struct event last = {.kind = EVENT_RUN_END,
                             .thread = trace->record->thread,
                             .enabled = is_wide ? trace->record->n_words : self->words.items[self->words.count - 1],
                             .alternatives = 1,
                             .flags = EVENT_VISIBLE | (is_wide ? EVENT_WIDE : 0)};
  vector_push(&self->events, last);
  self->record = *trace->record;
  self->record.n_events++;
  self->record.n_words = (uint32_t)self->words.count - (is_wide ? 0 : 1);
  *view = *trace;
  view->record = &self->record;
  view->events = self->events.items;
  view->words = self->words.items;
  return true;
}

void completed_trace_free(struct completed_trace *self) {
  vector_free(&self->events);
  vector_free(&self->words);
}
