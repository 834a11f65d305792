/* SPDX-License-Identifier: MIT
 *
 * Which events explain a failure.
 *
 *     waiting     the acquisitions by those who hold what others wait for
 *     the rest    the last access of the thread that failed to something that another thread has touched before, one of
 *                 them writing; that access of the other thread; and the failing thread's own access before that: what
 * it had seen there was true no longer
 */
#include "report/rows.h"

#include "trace/tables.h"

static bool is_access(const struct event *event) {
  return event_row(event->kind)->class == CLASS_MEMORY;
}

static bool overlap(const struct event *a, const struct event *b) {
  return a->object < b->object + b->size && b->object < a->object + a->size;
}

static bool conflict(const struct event *a, const struct event *b) {
  if (a->thread == b->thread || !is_access(a) || !is_access(b) || !overlap(a, b)) return false;
  return event_row(a->kind)->dependence != DEPENDENCE_READS || event_row(b->kind)->dependence != DEPENDENCE_READS;
}

/* Indices count from 1; 0 = none. */
static uint32_t last_conflict(const struct trace_view *trace, uint32_t before) {
  for (uint32_t i = before - 1; i > 0; i--)
    if (conflict(&trace->events[i - 1], &trace->events[before - 1])) return i;
  return 0;
}

static uint32_t own_access_before(const struct trace_view *trace, uint32_t access, uint32_t before) {
  const struct event *last = &trace->events[access - 1];
  for (uint32_t i = before - 1; i > 0; i--) {
    const struct event *event = &trace->events[i - 1];
    if (event->thread == last->thread && is_access(event) && overlap(event, last)) return i;
  }
  return 0;
}

static void mark_conflict(const struct trace_view *trace, bool *marks) {
  for (uint32_t i = trace->record->n_events; i > 0; i--) {
    const struct event *event = &trace->events[i - 1];
    if (event->thread != trace->record->thread || !is_access(event)) continue;
    const uint32_t other = last_conflict(trace, i);
    if (!other) continue;
    const uint32_t own = own_access_before(trace, i, other);
    marks[i - 1] = marks[other - 1] = true;
    if (own) marks[own - 1] = true;
    return;
  }
}

static void mark_acquisition(const struct trace_view *trace, const struct pending *pending, bool *marks) {
  for (uint32_t i = trace->record->n_events; i > 0; i--) {
    const struct event *event = &trace->events[i - 1];
    if (event->thread != pending->holder || event->site != pending->holder_site) continue;
    if (event->object != pending->object && event->value != pending->object) continue;
    marks[i - 1] = true;
    return;
  }
}

void marks_find(const struct scene *scene, bool *marks) {
  const struct trace_view *trace = scene->trace;
  const uint32_t outcome = trace->record->outcome;
  if (outcome != OUTCOME_DEADLOCK && outcome != OUTCOME_LIVELOCK) {
    mark_conflict(trace, marks);
    return;
  }
  for (uint32_t i = 0; i < trace->record->n_pending; i++) {
    const struct pending *pending = &trace->pendings[i];
    if (pending->blocked && pending->holder != NO_THREAD && event_row(pending->kind)->class != CLASS_THREAD)
      mark_acquisition(trace, pending, marks);
  }
}
