/* SPDX-License-Identifier: MIT */
#include "explore/bounded/races.h"

#include "model/dependence.h"
#include "trace/last_step.h"

#include <stdlib.h>

void beginning_init(struct beginning *self) {
  self->order = order_create();
}

void beginning_free(struct beginning *self) {
  order_destroy(self->order);
  vector_free(&self->steps);
  vector_free(&self->before);
}

const struct event *beginning_event(const struct beginning *self, uint32_t step) {
  return order_event(self->order, step);
}

void beginning_cut(struct beginning *self, uint32_t n_steps) {
  order_pop(self->order, n_steps);
  self->steps.count = n_steps;
}

/* ---- fingerprints ---- */

static uint64_t scramble(uint64_t x) {
  x = (x ^ x >> 31) * 0x9fb21c651e98df25ull;
  x = (x ^ x >> 29) * 0xd6e8feb86659fd93ull;
  return x ^ x >> 32;
}

static void mix(struct fingerprint *fingerprint, uint64_t number) {
  fingerprint->low = scramble(fingerprint->low ^ number) + 0x9e3779b97f4a7c15ull;
  fingerprint->high = scramble(fingerprint->high + scramble(number + 0x632be59bd9b4e019ull)) + 1;
}

/* What the step is, and the last steps of all threads that happen before it, each with what happens before that. */
static struct fingerprint find_fingerprint(const struct beginning *self, const struct classes *classes,
                                           const struct event *event, uint32_t step, uint32_t previous) {
  struct fingerprint result = {event->thread, event->kind};
  const uint32_t *clock = order_clock(self->order, step);
  mix(&result, event->object);
  mix(&result, (uint64_t)event->size << 32 | event->thread);
  mix(&result, (uint64_t)event->alternative << 8 | event->kind);
  for (thread_id i = 0; i < order_threads(self->order); i++) {
    const uint32_t last = i == event->thread ? previous : clock[i];
    if (!last) continue;
    const struct fingerprint *other = &step_at(classes, self->steps.items[last - 1].known)->fingerprint;
    mix(&result, i);
    mix(&result, other->low);
    mix(&result, other->high);
  }
  return result;
}

/* ---- races ---- */

static uint64_t bit_of(thread_id thread) {
  return thread < 64 ? 1ull << thread : EVERYBODY;
}

/* Of the last steps of the threads that `clock` has and `before` has not: does one come after that of `thread`? */
static bool is_followed(const struct beginning *self, const uint32_t *clock, const uint32_t *before, thread_id thread,
                        thread_id own) {
  for (thread_id i = 0; i < order_threads(self->order); i++)
    if (i != thread && i != own && clock[i] > before[i] && order_happens_before(self->order, clock[thread] - 1, clock[i] - 1))
      return true;
  return false;
}

/* The steps that `clock` has and `before` has not race with `event` if it depends on them, or if they are the last. */
static void find_races(const struct beginning *self, struct classes *classes, const struct event *event,
                       const uint32_t *clock, const uint32_t *before, bool only_last) {
  for (thread_id i = 0; i < order_threads(self->order); i++) {
    if (i == event->thread) continue;
    for (uint32_t k = clock[i]; k > before[i]; k = self->steps.items[k - 1].previous) {
      const struct beginning_step *step = &self->steps.items[k - 1];
      const bool depends = !only_last && events_depend(order_event(self->order, k - 1), event);
      if (depends || (k == clock[i] && !is_followed(self, clock, before, i, event->thread)))
        classes_race(classes, step->known, bit_of(event->thread));
    }
  }
}

/* A copy: the next event may move clocks. */
static void keep_clock(struct beginning *self, const uint32_t *clock) {
  self->before.count = 0;
  for (thread_id i = 0; i < order_threads(self->order); i++) vector_push(&self->before, clock ? clock[i] : 0);
}

/* What the thread learned after its last step, without a step of its own: from a thread that it joined, say. */
static void find_races_of_wait(const struct beginning *self, struct classes *classes, const struct event *event,
                               uint32_t previous) {
  if (previous)
    find_races(self, classes, event, self->before.items, order_clock(self->order, previous - 1), true);
}

static void push_event(struct beginning *self, const struct trace_view *trace, const struct event *event) {
  if (event_is_step(event))
    order_push(self->order, event, trace_enabled_set(trace, event), trace_enabled_words(trace, event));
  else
    order_push(self->order, event, NULL, 0);
}

void beginning_push(struct beginning *self, struct classes *classes, const struct trace_view *trace, uint32_t first,
                    uint32_t end) {
  const struct event *event = &trace->events[first];
  const uint32_t step = beginning_length(self), previous = order_last_step_of(self->order, event->thread);
  keep_clock(self, order_thread_clock(self->order, event->thread));
  push_event(self, trace, event);
  while (self->before.count < order_threads(self->order)) vector_push(&self->before, 0);
  const struct fingerprint fingerprint = find_fingerprint(self, classes, event, step, previous);
  bool is_new;
  const known_id known = classes_know_step(classes, fingerprint, event, &is_new);
  vector_push(&self->steps, ((struct beginning_step){known, previous}));
  if (is_new) {
    find_races(self, classes, event, order_clock(self->order, step), self->before.items, false);
    find_races_of_wait(self, classes, event, previous);
  }
  for (uint32_t i = first + 1; i < end; i++) push_event(self, trace, &trace->events[i]);
}

/* ---- the end of a run ---- */

/* What the thread stood before may depend on all that it does not know of. */
static void find_pending_races(struct beginning *self, struct classes *classes, const struct pending *pending) {
  struct event event = {.kind = EVENT_NONE};
  order_find_pending_races(self->order, pending, &event);
  if (event.kind == EVENT_NONE) return;
  keep_clock(self, order_thread_clock(self->order, pending->thread));
  for (uint32_t i = 0; i < beginning_length(self); i++) {
    const struct event *step = order_event(self->order, i);
    if (step->thread == event.thread || self->before.items[step->thread] > i) continue;
    if (events_depend(step, &event)) classes_race(classes, beginning_step(self, i), bit_of(event.thread));
  }
  find_races_of_wait(self, classes, &event, order_last_step_of(self->order, event.thread));
}

void beginning_end(struct beginning *self, struct classes *classes, const struct trace_view *trace) {
  for (uint32_t i = 0; i < trace->record->n_pending; i++) find_pending_races(self, classes, &trace->pendings[i]);
  const uint32_t length = beginning_length(self);
  if (run_was_cut_short(trace) && length > 0) classes_race(classes, beginning_step(self, length - 1), EVERYBODY);
}
