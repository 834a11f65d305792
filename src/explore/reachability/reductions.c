/* SPDX-License-Identifier: MIT */
#include "explore/reachability/reductions.h"

#include "model/kinds.h"

#include <stdlib.h>

void reductions_free(struct reductions *reductions) {
  vector_free(&reductions->created);
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

/* Threads by how they were created; main, and those of whom that is not known, have NO_THREAD for a parent. */
void reductions_read(struct reductions *reductions, const struct trace_view *trace) {
  reductions->created.count = 0;
  read_labels(reductions, trace);
  if (!reductions->settings.symmetry) return;
  for (uint32_t i = 0; i < trace->record->n_events; i++) {
    const struct event *event = &trace->events[i];
    if (event_effect_of(event) != EFFECT_CREATES || event->object >= HEDDLE_MAX_THREADS) continue;
    while (reductions->created.count <= event->object)
      vector_push(&reductions->created, ((struct created){.parent = NO_THREAD}));
    reductions->created.items[event->object] = (struct created){event->thread, event->value, event->enabled};
  }
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

/* Nothing that the two have done so far tells them apart. */
static bool are_first_of_alike(const struct reductions *reductions, const struct syn_run *run, syn_id a, syn_id b) {
  const struct syn_event *x = &run->syn.events.items[a], *y = &run->syn.events.items[b];
  return x->index == 1 && y->index == 1 && are_alike(reductions, x->thread, y->thread);
}

/* Of threads that are alike, the one that has the event stands for it, or else the first of those that could. */
static bool another_stands_for(const struct reductions *reductions, const struct syn_run *run, syn_id receive,
                               syn_id send) {
  const struct syn *syn = &run->syn;
  const struct syn_event *s = &syn->events.items[send];
  if (s->index != 1) return false;
  if (are_first_of_alike(reductions, run, syn->events.items[receive].partner, send)) return true;
  for (syn_id other = syn->last_sent.items[s->object]; other != SYN_NONE;
       other = syn->events.items[other].previous_sent)
    if (syn->events.items[other].thread < s->thread && are_first_of_alike(reductions, run, other, send) &&
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
