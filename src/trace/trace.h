/* SPDX-License-Identifier: MIT
 *
 * Reading a trace: how one run went, as the executor wrote it (struct trace of abi/channel.h).
 *
 * A struct trace_view points into a record and owns nothing. It exists only for records that trace_open has checked, so
 * the holder of a view may trust every count, index and thread id in it.
 */
#ifndef HEDDLE_TRACE_TRACE_H
#define HEDDLE_TRACE_TRACE_H

#include "abi/channel.h"
#include "base/memory.h"

#include <stdbool.h>
#include <stddef.h>

/* What struct addition counts. */
struct trace_additions {
  const struct granule_addition *shared;
  const struct warning *warnings;
  const struct observed_addition *observed;
  const struct touch *touches;
  const struct birth *births;
  const struct thread_name *threads;
  const uint32_t *covered;
  const char *observed_text; /* of all that was observed, without ends */
};

struct trace_view {
  const struct trace *record;
  const struct event *events;
  const uint64_t *words;
  const struct pending *pendings;
  const struct block *blocks;
  const struct term_record *terms; /* term t is terms[t - 1] */
  const struct decision *decisions;
  const struct input_record *inputs;
  const struct input_value *input_values;
  const struct access *accesses;
  struct trace_additions adds;
  const uint32_t *covered;
  const char *names;
  const char *message; /* "" when there is none */
};

/* Checks the record of `size_bytes` bytes, which lie at a multiple of 8, and sets up the view. False: they are no
 * trace.
 */
bool trace_open(struct trace_view *view, const struct trace *record, size_t size_bytes);
/* The same for bytes that come from elsewhere: false also when they are not what their writer wrote (`check`). */
bool trace_read(struct trace_view *view, const struct trace *record, size_t size_bytes, uint64_t generation);
/* A private copy of the record, to be kept outside the ring (NO_GENERATION); the caller frees it, and opens a view of
 * its own on it. */
struct trace *trace_copy(const struct trace_view *view);

/* True for an event that is a step of the schedule: visible, and not carried along inside an atomic section. */
/* The step of the run that its recorded events begin with. */
static inline uint32_t trace_first_step(const struct trace *trace, const struct plan *plan) {
  return trace->flags & TRACE_CARRIES ? 0 : plan->record_from;
}

static inline bool event_is_step(const struct event *event) {
  return (event->flags & (EVENT_VISIBLE | EVENT_IN_SECTION)) == EVENT_VISIBLE;
}

/* As if the events before the step had not been recorded. The view has `record` from then on, which is a copy. */
void trace_leave_out_before(struct trace_view *view, struct trace *record, uint32_t step);

/* Could the thread have moved instead of the event? Only for steps. */
bool trace_was_enabled(const struct trace_view *view, const struct event *event, thread_id thread);
/* The set of enabled threads is `trace_enabled_words` words of 64 bits. */
const uint64_t *trace_enabled_set(const struct trace_view *view, const struct event *event);
size_t trace_enabled_words(const struct trace_view *view, const struct event *event);

/* Values of inputs, as plans and traces list them. */
typedef VECTOR(struct input_value) input_values;

/* Events, as plans list those of sleepers. */
typedef VECTOR(struct event) event_list;

/* A schedule: the choices of a whole run, or of its beginning. */
struct schedule {
  struct step *items;
  size_t count, capacity;
};

/* Adds the steps of the events in the trace. */
void schedule_append_trace(struct schedule *schedule, const struct trace_view *view);
/* Adds `count` steps for the caller to fill in, and returns the first of them. */
struct step *schedule_extend(struct schedule *schedule, size_t count);
void schedule_append(struct schedule *schedule, const struct step *steps, size_t count);

#endif
