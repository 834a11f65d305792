/* SPDX-License-Identifier: MIT */
#include "explore/reachability/reductions.h"

#include "model/kinds.h"

#include <stdlib.h>

void reductions_free(struct reductions *reductions) {
  vector_free(&reductions->created);
  vector_free(&reductions->histories);
  vector_free(&reductions->done);
  vector_free(&reductions->unordered);
}

/* The mark follows its receive. */
static void read_labels(struct reductions *reductions, const struct trace_view *trace) {
  reductions->unordered.count = 0;
  for (uint32_t i = 1; reductions->settings.order && i < trace->record->n_events; i++) {
    const struct event *mark = &trace->events[i];
    if (mark->kind == EVENT_PORT_UNORDERED && mark->value == reductions->settings.label)
      vector_push(&reductions->unordered, i - 1);
  }
}

static bool is_unordered(const struct reductions *reductions, uint32_t event) {
  size_t from = 0, end = reductions->unordered.count;
  while (from < end) {
    const size_t middle = (from + end) / 2;
    if (reductions->unordered.items[middle] < event)
      from = middle + 1;
    else
      end = middle;
  }
  return from < reductions->unordered.count && reductions->unordered.items[from] == event;
}

/* ---- threads that are alike ---- */

/* Threads by how they were created; main, and those of whom that is not known, have NO_THREAD for a parent. */
static void read_creations(struct reductions *reductions, const struct trace_view *trace) {
  reductions->created.count = 0;
  for (uint32_t i = 0; i < trace->record->n_events; i++) {
    const struct event *event = &trace->events[i];
    if (event_effect_of(event) != EFFECT_CREATES || event->object >= HEDDLE_MAX_THREADS) continue;
    while (reductions->created.count <= event->object)
      vector_push(&reductions->created, ((struct created){.parent = NO_THREAD}));
    reductions->created.items[event->object] = (struct created){event->thread, event->value, event->enabled};
  }
}

static uint64_t mix(uint64_t hash, uint64_t word) {
  hash = (hash ^ word) * 0x9e3779b97f4a7c15ull;
  return hash ^ hash >> 29;
}

/* Does the thread learn nothing from the event's value: how many tokens are left, who had the lock before? */
static bool hides_value(const struct event *event) {
  switch (event_effect_of(event)) {
  case EFFECT_TAKES_TOKEN:
  case EFFECT_GIVES_TOKEN:
  case EFFECT_LOWERS:
  case EFFECT_RAISES: return true;
  case EFFECT_TAKES:
  case EFFECT_GIVES: return event_class_of(event) != CLASS_MUTEX;
  default: return false;
  }
}

/* What the thread has done and seen, with the event. */
static uint64_t add_to_history(uint64_t history, const struct event *event) {
  history = mix(mix(mix(history, event->kind), event->object), (uint64_t)event->site << 32 | event->size);
  if (event_effect_of(event) == EFFECT_UPDATES) history = mix(history, event->before);
  return hides_value(event) ? history : mix(history, event->value);
}

static void read_histories(struct reductions *reductions, const struct trace_view *trace, const struct syn_run *run) {
  reductions->histories.count = reductions->done.count = 0;
  for (size_t i = 0; i < run->ops.count; i++) {
    const struct syn_op *op = &run->ops.items[i];
    while (reductions->done.count <= op->thread) vector_push(&reductions->done, 0);
    uint64_t *done = &reductions->done.items[op->thread];
    vector_push(&reductions->histories, *done);
    if (op->was_taken) *done = add_to_history(*done, &trace->events[op->event]);
  }
}

void reductions_read(struct reductions *reductions, const struct trace_view *trace, const struct syn_run *run) {
  read_labels(reductions, trace);
  if (!reductions->settings.symmetry) return;
  read_creations(reductions, trace);
  read_histories(reductions, trace, run);
}

static bool are_alike(const struct reductions *reductions, thread_id a, thread_id b) {
  if (a >= reductions->created.count || b >= reductions->created.count) return false;
  const struct created *x = &reductions->created.items[a], *y = &reductions->created.items[b];
  return x->parent != NO_THREAD && x->parent == y->parent && x->function == y->function && x->argument == y->argument;
}

static bool is_p_or_v(uint8_t kind) {
  return kind == EVENT_SEMAPHORE_POST || kind == EVENT_SEMAPHORE_WAIT;
}

static const struct syn_op *op_of(const struct syn_run *run, syn_id event) {
  return &run->ops.items[run->op_of.items[event]];
}

/* Nothing that the two threads have done or seen before these sends tells them apart. */
static bool are_sent_alike(const struct reductions *reductions, const struct syn_run *run, syn_id a, syn_id b) {
  const struct syn_event *x = &run->syn.events.items[a], *y = &run->syn.events.items[b];
  return x->thread != y->thread && are_alike(reductions, x->thread, y->thread) &&
         op_of(run, a)->kind == op_of(run, b)->kind &&
         reductions->histories.items[run->op_of.items[a]] == reductions->histories.items[run->op_of.items[b]];
}

/* Of threads that are alike, the one that has the event stands for it, or else the first of those that could. */
static bool another_stands_for(const struct reductions *reductions, const struct syn_run *run, syn_id receive,
                               syn_id send) {
  const struct syn *syn = &run->syn;
  const struct syn_event *s = &syn->events.items[send];
  if (are_sent_alike(reductions, run, syn->events.items[receive].partner, send)) return true;
  for (syn_id other = syn->last_sent.items[s->object]; other != SYN_NONE;
       other = syn->events.items[other].previous_sent)
    if (syn->events.items[other].thread < s->thread && are_sent_alike(reductions, run, other, send) &&
        syn_races(syn, receive, other))
      return true;
  return false;
}

bool reductions_leave_out(const struct reductions *reductions, const struct syn_run *run, syn_id receive,
                          uint32_t partner) {
  const struct syn_event *r = &run->syn.events.items[receive];
  if (r->kind != SYN_COMPLETE && r->kind != SYN_RECEIVE) return false;
  if (reductions->settings.pv && r->kind == SYN_COMPLETE && op_of(run, r->partner)->kind == EVENT_SEMAPHORE_POST &&
      is_p_or_v(op_of(run, partner)->kind))
    return true;
  if (r->kind == SYN_RECEIVE && is_unordered(reductions, op_of(run, receive)->event)) return true;
  return reductions->settings.symmetry && another_stands_for(reductions, run, receive, partner);
}
