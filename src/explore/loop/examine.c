/* SPDX-License-Identifier: MIT */
#include "explore/loop/examine.h"

#include "explore/executor/knowledge.h"
#include "explore/loop/minimise.h"
#include "explore/loop/repetition.h"
#include "explore/loop/translate.h"
#include "trace/tables.h"

#include <stdlib.h>

#define CANDIDATE_HANG_SECONDS 2u

enum stage {
  STAGE_CREATED,
  STAGE_REPEATING,   /* the run, until it fails again or all there is was tried */
  STAGE_TRANSLATING, /* a stretch of the run with the larger shared set */
  STAGE_TRANSLATED,  /* what that came to is repeated */
  STAGE_MINIMISING,  /* a candidate of the minimiser is run */
  STAGE_SIMPLER,     /* its best run is repeated */
  STAGE_OVER,
};

struct examination {
  struct examination_settings settings;
  struct executor_settings executor;
  enum stage stage;
  struct finding *finding;
  struct trace *first; /* of the run that showed it */
  struct trace_view first_view;
  uint32_t record_from;  /* of its plan */
  struct trace *earlier; /* the first repetition, if it ended earlier than the run; NULL: none did */
  struct knowledge *now; /* still to be tried; NULL: nothing more is known */
  struct repetition repetition;
  struct translation *translation;
  struct minimiser *minimiser;
  struct lane *candidates;
  struct finding simpler;
  bool has_confirmed, is_late;
};

static void free_simpler(struct examination *self) {
  vector_free(&self->simpler.schedule);
  vector_free(&self->simpler.inputs);
  free(self->simpler.record);
  text_free(&self->simpler.output);
  self->simpler = (struct finding){0};
}

static void close_candidates(struct examination *self) {
  if (self->candidates) lane_close(self->candidates);
  self->candidates = NULL;
}

/* No run is under way from now on. */
static void end(struct examination *self) {
  repetition_abandon(&self->repetition);
  close_candidates(self);
  if (self->stage == STAGE_TRANSLATED) free(self->simpler.knowledge); /* otherwise it is the finding's */
  free_simpler(self);
  minimiser_destroy(self->minimiser);
  self->minimiser = NULL;
  translation_destroy(self->translation);
  self->translation = NULL;
  self->stage = STAGE_OVER;
}

/* --- a simpler run --- */

static void copy_best(struct examination *self, const struct candidate *best) {
  struct finding *simpler = &self->simpler;
  *simpler = *self->finding;
  simpler->schedule = (struct schedule){0};
  simpler->inputs = (input_values){0};
  simpler->record = NULL;
  simpler->output = (struct text){0};
  simpler->policy = POLICY_CONTINUE;
  schedule_append(&simpler->schedule, best->schedule->items, best->schedule->count);
  for (size_t i = 0; i < best->inputs->count; i++) vector_push(&simpler->inputs, best->inputs->items[i]);
}

/* The simplest run is repeated like the first one. */
static void repeat_best(struct examination *self) {
  struct candidate best;
  uint32_t steps;
  close_candidates(self);
  self->stage = STAGE_SIMPLER;
  const bool is_simpler = minimiser_best(self->minimiser, &best, &steps);
  if (is_simpler) copy_best(self, &best);
  if (!is_simpler || !repetition_start(&self->repetition, self->settings.pool, &self->executor, &self->simpler, NULL))
    end(self);
}

/* Should it not fail again, everything stays as it was. */
static void replace_run(struct examination *self, const struct reply *reply) {
  struct finding *finding = self->finding, *simpler = &self->simpler;
  struct candidate best;
  uint32_t steps;
  repetition_finish(&self->repetition, simpler, reply);
  minimiser_best(self->minimiser, &best, &steps);
  if (finding_same_bug(&simpler->trace, &finding->trace) && simpler->record->n_steps == steps) {
    const struct finding old = *finding;
    *finding = *simpler;
    finding->runs = old.runs;
    *simpler = old;
  }
  end(self);
}

/* --- minimising --- */

/* With the shared set that the runs start from. */
static bool open_candidates(struct examination *self, const struct knowledge *shared) {
  struct executor_settings quick = self->executor;
  const uint32_t long_enough = 2 * self->finding->record->n_steps + 1000;
  if (quick.max_events > long_enough) quick.max_events = long_enough;
  if (quick.hang_seconds > CANDIDATE_HANG_SECONDS) quick.hang_seconds = CANDIDATE_HANG_SECONDS;
  self->candidates = lane_open(self->settings.pool, &quick, NULL);
  if (!self->candidates) return false;
  knowledge_copy_threads(lane_knowledge(self->candidates), self->finding->knowledge);
  knowledge_copy_shared(lane_knowledge(self->candidates), shared);
  return true;
}

static void submit_to_candidates(struct examination *self, const struct schedule *schedule,
                                 const input_values *inputs) {
  const struct finding *finding = self->finding;
  const struct plan plan = {.flags = PLAN_LENIENT | (finding->random_inputs ? PLAN_RANDOM_INPUTS : 0),
                            .seed = finding->seed,
                            .runs = 1,
                            .policy = POLICY_CONTINUE};
  lane_submit(self->candidates, &plan, schedule->items, schedule->count, inputs->items, inputs->count);
}

/* Every run must start from what the first started from: a schedule means something only with that. */
static bool forget_what_was_learned(struct examination *self, const struct knowledge *shared) {
  struct knowledge *knowledge = lane_knowledge(self->candidates);
  if (knowledge_same_shared(knowledge, shared)) return false;
  lane_end_processes(self->candidates);
  knowledge_copy_shared(knowledge, shared);
  return true;
}

static void submit_candidate(struct examination *self) {
  struct candidate candidate;
  if (!minimiser_next(self->minimiser, &candidate) ||
      (!self->candidates && !open_candidates(self, self->finding->knowledge))) {
    repeat_best(self);
    return;
  }
  submit_to_candidates(self, candidate.schedule, candidate.inputs);
}

static void start_minimising(struct examination *self) {
  struct finding *finding = self->finding;
  finding->found_steps = finding->record->n_steps;
  finding->found_switches = finding->record->switches;
  self->minimiser = minimiser_create(finding, self->settings.minimise_runs);
  self->stage = STAGE_MINIMISING;
  submit_candidate(self);
}

static void absorb_candidate(struct examination *self, const struct reply *reply) {
  minimiser_absorb(self->minimiser, &reply->trace);
  if (forget_what_was_learned(self, self->finding->knowledge)) minimiser_count_new_process(self->minimiser);
  submit_candidate(self);
}

/* --- with all that is shared --- */

/* The run with the larger shared set, to be repeated. */
static void copy_translated(struct examination *self, const struct schedule *schedule) {
  struct finding *simpler = &self->simpler;
  *simpler = *self->finding;
  simpler->schedule = (struct schedule){0};
  simpler->inputs = (input_values){0};
  simpler->record = NULL;
  simpler->output = (struct text){0};
  simpler->policy = POLICY_CONTINUE;
  simpler->knowledge = memory_allocate(sizeof *simpler->knowledge);
  knowledge_copy_threads(simpler->knowledge, self->finding->knowledge);
  knowledge_copy_shared(simpler->knowledge, self->now);
  schedule_append(&simpler->schedule, schedule->items, schedule->count);
  for (size_t i = 0; i < self->finding->inputs.count; i++)
    vector_push(&simpler->inputs, self->finding->inputs.items[i]);
}

static void end_translation(struct examination *self) {
  close_candidates(self);
  if (self->stage == STAGE_TRANSLATED) free(self->simpler.knowledge);
  free_simpler(self);
  translation_destroy(self->translation);
  self->translation = NULL;
  free(self->now);
  self->now = NULL;
  start_minimising(self);
}

static void repeat_translated(struct examination *self) {
  const struct schedule *schedule = translation_result(self->translation);
  close_candidates(self);
  if (!schedule) {
    end_translation(self);
    return;
  }
  self->stage = STAGE_TRANSLATED;
  copy_translated(self, schedule);
  if (!repetition_start(&self->repetition, self->settings.pool, &self->executor, &self->simpler, NULL))
    end_translation(self);
}

static void submit_stretch(struct examination *self) {
  const struct schedule *schedule = translation_next(self->translation);
  if (!schedule || (!self->candidates && !open_candidates(self, self->now))) {
    repeat_translated(self);
    return;
  }
  submit_to_candidates(self, schedule, &self->finding->inputs);
}

/* A run that was found while its memory was not all known to be shared does not show what it read there. */
static void start_translating(struct examination *self) {
  self->stage = STAGE_TRANSLATING;
  self->translation = translation_create(&self->finding->trace, self->executor.max_events);
  submit_stretch(self);
}

static void absorb_stretch(struct examination *self, const struct reply *reply) {
  translation_absorb(self->translation, &reply->trace);
  forget_what_was_learned(self, self->now);
  submit_stretch(self);
}

/* Should it not fail in the same way, everything stays as it was. */
static void take_translated(struct examination *self, const struct reply *reply) {
  struct finding *finding = self->finding, *simpler = &self->simpler;
  repetition_finish(&self->repetition, simpler, reply);
  if (finding_same_bug(&simpler->trace, &finding->trace)) {
    const struct finding old = *finding;
    *finding = *simpler;
    finding->runs = old.runs;
    finding->schedule.count = 0;
    finding_append_schedule(&finding->schedule, &finding->trace);
    *simpler = old;
  }
  end_translation(self);
}

/* --- confirming --- */

/* Tries again with what is known now: in a plan of several runs, an earlier one may have found more to be shared than
 * was known when the plan began. */
static void try_with_more(struct examination *self) {
  if (!self->now) {
    end(self);
    return;
  }
  knowledge_copy_shared(self->finding->knowledge, self->now);
  free(self->now);
  self->now = NULL;
  if (!repetition_start(&self->repetition, self->settings.pool, &self->executor, self->finding, NULL)) end(self);
}

static void repeat(struct examination *self) {
  self->stage = STAGE_REPEATING;
  if (!repetition_start(&self->repetition, self->settings.pool, &self->executor, self->finding, NULL))
    try_with_more(self);
}

/* The repetition ended with the failure, the first run only when the other threads had ended (PLAN_LATE_END). */
static bool ended_earlier(const struct trace_view *first, const struct trace_view *repetition) {
  return finding_same_bug(first, repetition) && first->record->thread == repetition->record->thread &&
         repetition->record->n_steps < first->record->n_steps;
}

static void forget_earlier(struct examination *self) {
  free(self->earlier);
  self->earlier = NULL;
}

static bool fails_as(const struct examination *self, const struct trace *record) {
  struct trace_view view;
  BUG_ON(!trace_open(&view, record, record->size_bytes));
  return finding_same_failure(&view, &self->finding->trace);
}

static void absorb_repetition(struct examination *self, const struct reply *reply) {
  repetition_finish(&self->repetition, self->finding, reply);
  if (!self->earlier && ended_earlier(&self->first_view, &self->finding->trace)) {
    self->earlier = trace_copy(&self->finding->trace);
    repeat(self);
    return;
  }
  self->has_confirmed = fails_as(self, self->earlier ? self->earlier : self->first);
  forget_earlier(self);
  if (self->has_confirmed && self->now)
    start_translating(self);
  else if (self->has_confirmed)
    start_minimising(self);
  else
    try_with_more(self);
}

/* --- from outside --- */

struct examination *examination_create(const struct examination_settings *settings, struct finding *finding,
                                       const struct reply *reply, const struct knowledge *now) {
  struct examination *self = memory_allocate(sizeof *self);
  self->settings = *settings;
  self->executor = *settings->executor;
  self->executor.isolation = settings->isolation;
  self->finding = finding;
  self->first = trace_copy(&reply->trace);
  BUG_ON(!trace_open(&self->first_view, self->first, self->first->size_bytes));
  self->record_from = trace_first_step(reply->trace.record, reply->plan);
  if (!knowledge_same_shared(finding->knowledge, now)) {
    self->now = memory_allocate(sizeof *self->now);
    knowledge_copy_shared(self->now, now);
  }
  return self;
}

void examination_destroy(struct examination *self) {
  end(self);
  if (self->finding) finding_free(self->finding);
  free(self->first);
  free(self->earlier);
  free(self->now);
  free(self);
}

void examination_start(struct examination *self) {
  BUG_ON(self->stage != STAGE_CREATED);
  repeat(self);
}

struct lane *examination_lane(const struct examination *self) {
  const bool is_trying = self->stage == STAGE_MINIMISING || self->stage == STAGE_TRANSLATING;
  return is_trying ? self->candidates : self->repetition.lane;
}

void examination_absorb(struct examination *self, const struct reply *reply) {
  BUG_ON(reply->lane != examination_lane(self) || !reply->plan_done);
  switch (self->stage) {
  case STAGE_REPEATING: absorb_repetition(self, reply); break;
  case STAGE_TRANSLATING: absorb_stretch(self, reply); break;
  case STAGE_TRANSLATED: take_translated(self, reply); break;
  case STAGE_MINIMISING: absorb_candidate(self, reply); break;
  default: replace_run(self, reply);
  }
}

void examination_fail(struct examination *self) {
  repetition_abandon(&self->repetition);
  forget_earlier(self);
  switch (self->stage) {
  case STAGE_REPEATING: try_with_more(self); break;
  case STAGE_TRANSLATING:
  case STAGE_TRANSLATED: end_translation(self); break;
  case STAGE_MINIMISING: repeat_best(self); break;
  default: end(self);
  }
}

void examination_give_up(struct examination *self) {
  self->is_late = !self->has_confirmed;
  end(self);
}

bool examination_has_confirmed(const struct examination *self) {
  return self->has_confirmed;
}

bool examination_is_over(const struct examination *self) {
  return self->stage == STAGE_OVER;
}

bool examination_takes_run(struct examination *self, const struct trace_view *view) {
  if (!finding_same_bug(&self->first_view, view)) return false;
  self->finding->runs++;
  return true;
}

void examination_note_part(struct examination *self, const char *part) {
  self->finding->part = part;
}

void examination_note_learning_run(struct examination *self, uint64_t learning_run) {
  self->finding->learning_run = learning_run;
}

/* --- the result --- */

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

static void explain_loss(const struct examination *self, struct text *words) {
  const struct finding *finding = self->finding;
  text_append_format(words, "a run ended with \"%s\" after %u steps and could not be repeated",
                     outcome_row(self->first->outcome)->words, self->first->n_steps);
  if (!finding->record) return;
  text_append_format(words, ": the repetition ended with \"%s\" after %u steps; the two differ from step %u on",
                     outcome_row(finding->record->outcome)->words, finding->record->n_steps,
                     parting_step(&self->first_view, self->record_from, &finding->trace));
}

static void explain_lateness(const struct examination *self, struct text *words) {
  text_append_format(words, "a run ended with \"%s\" after %u steps; there was no time to repeat it",
                     outcome_row(self->first->outcome)->words, self->first->n_steps);
}

enum finding_result examination_take_result(struct examination *self, struct finding **finding, struct trace **lost,
                                            struct text *words) {
  BUG_ON(self->stage != STAGE_OVER);
  if (self->has_confirmed) {
    *finding = self->finding;
    self->finding = NULL;
    return FINDING_NEW;
  }
  if (self->is_late) {
    explain_lateness(self, words);
    return FINDING_LATE;
  }
  explain_loss(self, words);
  *lost = self->first;
  self->first = NULL;
  return FINDING_LOST;
}
