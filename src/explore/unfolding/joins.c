/* SPDX-License-Identifier: MIT */
#include "explore/unfolding/joins.h"

#include "trace/tables.h"

#include <stdlib.h>

void joins_free(struct joins *joins) {
  vector_free(&joins->threads);
  vector_free(&joins->places);
}

static struct thread_joins *of_thread(struct joins *joins, thread_id thread) {
  while (joins->threads.count <= thread) vector_push(&joins->threads, (struct thread_joins){0});
  joins->threads.items[0].is_main = true;
  return &joins->threads.items[thread];
}

/* ---- reading a run ---- */

static void forget_run(struct joins *joins) {
  joins->places.count = 0;
  for (size_t i = 0; i < joins->threads.count; i++) {
    struct thread_joins *thread = &joins->threads.items[i];
    thread->has_history = false;
    thread->ends = thread->waits = false;
    thread->n_seen = thread->last_join = 0;
  }
}

static void read_event(struct joins *joins, const struct event *event, uint32_t place) {
  struct thread_joins *thread = of_thread(joins, event->thread);
  switch (event_effect_of(event)) {
  case EFFECT_JOINS:
    vector_push(&joins->places, place);
    if (!thread->last_join) thread->last_join = place + 1;
    thread->n_seen += (event->flags & EVENT_SEEN) != 0;
    return;
  case EFFECT_ENDS:
  case EFFECT_EXITS: thread->ends = true; return;
  default: break;
  }
  if (event_effect_of(event) != EFFECT_CREATES || thread->last_join) thread->has_history = true;
  thread->last_join = thread->n_seen = 0;
}

/* Joins in front of a decision are not the last ones. */
static void read_decision(struct joins *joins, const struct decision *decision) {
  struct thread_joins *thread = of_thread(joins, decision->thread);
  thread->has_history = true;
  if (thread->last_join && thread->last_join <= decision->event) thread->last_join = thread->n_seen = 0;
}

static void read_run(struct joins *joins, const struct trace_view *trace) {
  forget_run(joins);
  for (uint32_t i = 0, decision = 0; i <= trace->record->n_events; i++) {
    for (; decision < trace->record->n_decisions && trace->decisions[decision].event <= i; decision++)
      read_decision(joins, &trace->decisions[decision]);
    if (i < trace->record->n_events) read_event(joins, &trace->events[i], i);
  }
  for (uint32_t i = 0; i < trace->record->n_pending; i++)
    if (kind_effect(trace->pendings[i].kind) == EFFECT_JOINS) of_thread(joins, trace->pendings[i].thread)->waits = true;
}

/* ---- what it means ---- */

/* What it does after its last joins depends on one history at most: its own, or that of one that it joined. */
static bool depends_on_one(const struct thread_joins *thread) {
  return thread->n_seen == 0 || (thread->n_seen == 1 && !thread->has_history);
}

static bool is_barren(const struct thread_joins *thread) {
  return thread->is_main && thread->last_join && thread->ends && !thread->matters && depends_on_one(thread);
}

static void let_matter(struct thread_joins *thread, bool *is_wrong, bool *is_new) {
  if (thread->matters) return;
  thread->matters = *is_new = true;
  *is_wrong |= thread->was_barren;
}

/* Each end of the one thread that it looks at is met by some run, but not if that was cut before it could look. */
static void look_at_thread(struct thread_joins *thread, bool *is_wrong, bool *is_new) {
  thread->was_cut |= thread->waits;
  thread->sees |= is_barren(thread) && thread->n_seen > 0;
  const bool needs_more = thread->last_join && thread->ends && !depends_on_one(thread);
  if (needs_more || (thread->sees && thread->was_cut)) let_matter(thread, is_wrong, is_new);
  thread->was_barren |= is_barren(thread);
}

/* A thread that joins another and continues depends on what the joined thread depended on. */
static bool look_at_joins(struct joins *joins, const struct trace_view *trace, bool *is_wrong) {
  bool is_new = false;
  for (size_t i = 0; i < joins->places.count; i++) {
    const struct event *event = &trace->events[joins->places.items[i]];
    if (joins_are_barren(joins, trace, event)) continue;
    let_matter(of_thread(joins, (thread_id)event->object), is_wrong, &is_new);
  }
  return is_new;
}

bool joins_read(struct joins *joins, const struct trace_view *trace) {
  bool is_wrong = false, is_new = false;
  read_run(joins, trace);
  for (size_t i = 0; i < joins->threads.count; i++) look_at_thread(&joins->threads.items[i], &is_wrong, &is_new);
  while (look_at_joins(joins, trace, &is_wrong)) continue;
  return !is_wrong;
}

bool joins_are_barren(const struct joins *joins, const struct trace_view *trace, const struct event *event) {
  const struct thread_joins *thread = &joins->threads.items[event->thread];
  return is_barren(thread) && event >= &trace->events[thread->last_join - 1];
}
