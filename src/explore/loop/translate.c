/* SPDX-License-Identifier: MIT */
#include "explore/loop/translate.h"

#include "trace/tables.h"

#include <stdlib.h>

#define MOST_STRETCHES 200u

/* Steps of the thread among the old events from `from` up to `to`; none where it only comes to its first one. */
struct stretch {
  thread_id thread;
  uint32_t from, to;
};

struct translation {
  struct trace *record; /* of the old run */
  struct trace_view old;
  VECTOR(struct stretch) stretches;
  size_t at; /* the stretch that is run */
  struct schedule done, candidate;
  uint32_t max_steps; /* of a plan */
  bool has_failed;
};

/* A thread that was created comes to its first step before anybody moves; so does main at the beginning. */
static void list_stretches(struct translation *self) {
  bool continues = false;
  vector_push(&self->stretches, ((struct stretch){0, 0, 0}));
  for (uint32_t i = 0; i < self->old.record->n_events; i++) {
    const struct event *event = &self->old.events[i];
    struct stretch *last = &self->stretches.items[self->stretches.count - 1];
    if (event_effect_of(event) == EFFECT_CREATES) {
      vector_push(&self->stretches, ((struct stretch){(thread_id)event->object, i, i}));
      continues = false;
    } else if (event_is_step(event) && continues && last->thread == event->thread) {
      last->to = i + 1;
    } else if (event_is_step(event)) {
      vector_push(&self->stretches, ((struct stretch){event->thread, i, i + 1}));
      continues = true;
    }
  }
}

struct translation *translation_create(const struct trace_view *trace, uint32_t max_steps) {
  struct translation *self = memory_allocate(sizeof *self);
  self->record = trace_copy(trace);
  self->max_steps = max_steps;
  BUG_ON(!trace_open(&self->old, self->record, self->record->size_bytes));
  list_stretches(self);
  self->has_failed = self->stretches.count > MOST_STRETCHES;
  return self;
}

void translation_destroy(struct translation *self) {
  if (!self) return;
  vector_free(&self->stretches);
  vector_free(&self->done);
  vector_free(&self->candidate);
  free(self->record);
  free(self);
}

const struct schedule *translation_next(struct translation *self) {
  self->has_failed |= self->done.count >= self->max_steps;
  if (self->has_failed || self->at == self->stretches.count) return NULL;
  const struct step step = {self->stretches.items[self->at].thread, 0};
  self->candidate.count = 0;
  schedule_append(&self->candidate, self->done.items, self->done.count);
  schedule_append(&self->candidate, &step, 1);
  return &self->candidate;
}

/* The thread's next step among the old events before `end`; NULL: it has none. */
static const struct event *next_old(const struct translation *self, thread_id thread, uint32_t *i, uint32_t end) {
  for (; *i < end; (*i)++) {
    const struct event *event = &self->old.events[*i];
    if (event_is_step(event) && event->thread == thread) return event;
  }
  return NULL;
}

static bool is_same(const struct event *a, const struct event *b) {
  return a->kind == b->kind && a->object == b->object && a->site == b->site;
}

/* The stretch in the new run: its events are those after the schedule that was done. The last step of a run that fails
 * may have no event. */
void translation_absorb(struct translation *self, const struct trace_view *trace) {
  const struct stretch *stretch = &self->stretches.items[self->at++];
  uint32_t old = stretch->from, left = (uint32_t)self->done.count;
  for (uint32_t i = 0; i < trace->record->n_events; i++) {
    const struct event *event = &trace->events[i];
    if (!event_is_step(event) || (left > 0 && left--)) continue;
    if (event->thread != stretch->thread) break;
    const struct event *expected = next_old(self, stretch->thread, &old, self->old.record->n_events);
    const bool is_old = expected && is_same(event, expected);
    if (is_old && old >= stretch->to) break;
    const struct step step = {event->thread, event->alternative};
    schedule_append(&self->done, &step, 1);
    old += is_old;
  }
  if (next_old(self, stretch->thread, &old, stretch->to)) self->has_failed = true;
}

const struct schedule *translation_result(const struct translation *self) {
  return self->has_failed || self->at < self->stretches.count ? NULL : &self->done;
}
