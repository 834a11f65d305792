/* SPDX-License-Identifier: MIT
 *
 * Live events lie where the trace would have been: behind room for its struct trace at ring position live_at. The words
 * of wide events are not there yet, so a lost run ends before the first of them.
 */
#include "explore/executor/lost_run.h"

#include "trace/trace.h"

#include <string.h>

static bool is_usable(const struct event *event) {
  return event->kind > EVENT_NONE && event->kind < EVENT_KINDS && event->thread < HEDDLE_MAX_THREADS &&
         event->alternative < event->alternatives && !(event->flags & EVENT_WIDE);
}

static uint32_t room_for_events(const struct channel *channel, uint64_t ring_bytes) {
  const uint64_t start = channel->live_at % ring_bytes + sizeof(struct trace);
  return start >= ring_bytes ? 0 : (uint32_t)((ring_bytes - start) / sizeof(struct event));
}

static void append_live_events(struct text *record, const struct channel *channel, const char *ring,
                               uint64_t ring_bytes) {
  const uint32_t written = channel->live_events, room = room_for_events(channel, ring_bytes);
  const uint32_t count = written < room ? written : room;
  const char *place = ring + channel->live_at % ring_bytes + sizeof(struct trace);
  for (uint32_t i = 0; i < count; i++) {
    struct event event;
    memcpy(&event, place + i * sizeof event, sizeof event);
    if (!is_usable(&event)) return;
    text_append_bytes(record, &event, sizeof event);
  }
}

/* Fills in what follows from the events. */
static void count_events(struct trace *trace, const struct event *events, uint32_t count) {
  thread_id previous = NO_THREAD;
  trace->n_events = count;
  trace->n_threads = 1; /* ids and numbers of threads differ only when some threads were not created */
  for (uint32_t i = 0; i < count; i++) {
    if (events[i].thread >= trace->n_threads) trace->n_threads = events[i].thread + 1;
    if (!event_is_step(&events[i])) continue;
    trace->n_steps++;
    trace->switches += previous != NO_THREAD && previous != events[i].thread;
    trace->thread = previous = events[i].thread;
    trace->site = events[i].site;
  }
}

void lost_run_write(struct text *record, const struct lost_run *lost, const struct plan *plan,
                    const struct channel *channel, const char *ring, uint64_t ring_bytes) {
  const uint32_t run = channel->ticket == plan->ticket && channel->run < plan->runs ? channel->run : 0;
  const bool known = channel->ticket == plan->ticket && channel->live_at % 8 == 0;
  struct trace trace = {
      .form = RECORD_TRACE,
      .flags = TRACE_PLAN_DONE,
      .ticket = plan->ticket,
      .seed = plan->seed + run,
      .run = run,
      .outcome = lost->outcome,
      .status = lost->status,
  };
  text_clear(record);
  text_append_bytes(record, &trace, sizeof trace);
  if (known) append_live_events(record, channel, ring, ring_bytes);
  count_events(&trace, (const struct event *)(record->string + sizeof trace),
               (uint32_t)((record->length - sizeof trace) / sizeof(struct event)));
  trace.n_steps += plan->record_from;
  trace.plan_steps = trace.n_steps;
  trace.message_bytes = (uint32_t)strlen(lost->message) + 1;
  text_append_bytes(record, lost->message, trace.message_bytes);
  text_append_bytes(record, "\0\0\0\0\0\0\0", round_up_8(record->length) - record->length);
  trace.size_bytes = (uint32_t)record->length;
  memcpy(record->string, &trace, sizeof trace);
}
