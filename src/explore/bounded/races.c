/* SPDX-License-Identifier: MIT */
#include "explore/bounded/races.h"

#include "model/reversal.h"
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

void fingerprint_add_side(struct fingerprint *fingerprint, thread_id thread, uint64_t constraint) {
  struct fingerprint side = {thread, ~constraint};
  mix(&side, constraint);
  mix(&side, thread);
  fingerprint->low += side.low;
  fingerprint->high += side.high;
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

/* How many steps the thread has taken, the last of which is `previous` - 1. */
static uint32_t number_after(const struct beginning *self, uint32_t previous) {
  return previous ? self->steps.items[previous - 1].number + 1 : 0;
}

/* An operation that races with what comes before it: the thread's step with that number, or what would be. */
struct later {
  struct event event;
  uint32_t previous; /* 1 + the step before it of its thread, 0 none */
  uint32_t number;
};

/* Of the last steps of the threads that `clock` has and `before` has not: does one come after that of `thread`? */
static bool is_followed(const struct beginning *self, const uint32_t *clock, const uint32_t *before, thread_id thread,
                        thread_id own) {
  for (thread_id i = 0; i < order_threads(self->order); i++)
    if (i != thread && i != own && clock[i] > before[i] &&
        order_happens_before(self->order, clock[thread] - 1, clock[i] - 1))
      return true;
  return false;
}

/* Does `later` wait until the thread of `earlier` gives back what it has? */
static bool is_awaited(const struct event *earlier, const struct event *later) {
  const enum event_effect effect = event_effect_of(earlier);
  const bool gives = effect == EFFECT_GIVES || effect == EFFECT_UNSHARES || effect == EFFECT_WAITS;
  return gives && events_reversal(earlier, later) == REVERSAL_NEVER;
}

/* `later` could not have come first. But its thread could have come to stand before it, and waited: that matters where
 * it has another step to take before. */
static void note_awaited(const struct beginning *self, struct classes *classes, uint32_t step,
                         const struct later *later) {
  if (later->number > 0) classes_race(classes, beginning_step(self, step), later->event.thread, later->number - 1);
}

static void note_race(const struct beginning *self, struct classes *classes, uint32_t step, const struct later *later) {
  if (is_awaited(order_event(self->order, step), &later->event))
    note_awaited(self, classes, step, later);
  else
    classes_race(classes, beginning_step(self, step), later->event.thread, later->number);
}

/* The steps that `clock` has and `before` has not race with `later` if it depends on them, or if they are the last. */
static void find_races(const struct beginning *self, struct classes *classes, const struct later *later,
                       const uint32_t *clock, const uint32_t *before) {
  const thread_id own = later->event.thread;
  for (thread_id i = 0; i < order_threads(self->order); i++) {
    if (i == own) continue;
    for (uint32_t k = clock[i]; k > before[i]; k = self->steps.items[k - 1].previous) {
      const bool depends = events_depend(order_event(self->order, k - 1), &later->event);
      if (depends || (k == clock[i] && !is_followed(self, clock, before, i, own)))
        note_race(self, classes, k - 1, later);
    }
  }
}

/* A copy: the next event may move clocks. */
static void keep_clock(struct beginning *self, const uint32_t *clock) {
  self->before.count = 0;
  for (thread_id i = 0; i < order_threads(self->order); i++) vector_push(&self->before, clock ? clock[i] : 0);
}

/* What the thread learned after its last step, without a step of its own, it waited for: the end of a thread, say. */
static void find_awaited(const struct beginning *self, struct classes *classes, const struct later *later) {
  if (!later->previous) return;
  const uint32_t *clock = self->before.items, *before = order_clock(self->order, later->previous - 1);
  const thread_id own = later->event.thread;
  for (thread_id i = 0; i < order_threads(self->order); i++)
    if (i != own && clock[i] > before[i] && !is_followed(self, clock, before, i, own))
      note_awaited(self, classes, clock[i] - 1, later);
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
  const struct later later = {*event, previous, number_after(self, previous)};
  keep_clock(self, order_thread_clock(self->order, event->thread));
  push_event(self, trace, event);
  while (self->before.count < order_threads(self->order)) vector_push(&self->before, 0);
  const struct fingerprint fingerprint = find_fingerprint(self, classes, event, step, previous);
  bool is_new;
  const known_id known = classes_know_step(classes, fingerprint, event, &is_new);
  vector_push(&self->steps, ((struct beginning_step){known, previous, later.number}));
  if (is_new) {
    find_races(self, classes, &later, order_clock(self->order, step), self->before.items);
    find_awaited(self, classes, &later);
  }
  for (uint32_t i = first + 1; i < end; i++) push_event(self, trace, &trace->events[i]);
}

/* ---- the end of a run ---- */

/* What the thread stood before may depend on all that it does not know of. */
static void find_pending_races(struct beginning *self, struct classes *classes, const struct pending *pending) {
  const uint32_t previous = order_last_step_of(self->order, pending->thread);
  struct later later = {{.kind = EVENT_NONE}, previous, number_after(self, previous)};
  order_find_pending_races(self->order, pending, &later.event);
  if (later.event.kind == EVENT_NONE) return;
  keep_clock(self, order_thread_clock(self->order, pending->thread));
  for (uint32_t i = 0; i < beginning_length(self); i++) {
    const struct event *step = order_event(self->order, i);
    if (step->thread == pending->thread || self->before.items[step->thread] > i) continue;
    if (events_depend(step, &later.event)) note_race(self, classes, i, &later);
  }
  find_awaited(self, classes, &later);
}

void beginning_end(struct beginning *self, struct classes *classes, const struct trace_view *trace) {
  for (uint32_t i = 0; i < trace->record->n_pending; i++) find_pending_races(self, classes, &trace->pendings[i]);
  const uint32_t length = beginning_length(self);
  if (run_was_cut_short(trace) && length > 0) classes_end_run(classes, beginning_step(self, length - 1));
}
