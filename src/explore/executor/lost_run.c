/* SPDX-License-Identifier: MIT
 *
 * Live events lie where the trace would have been: after room for its struct trace at ring position live_at. The words
 * of wide events are not there yet, so a lost run ends before the first of them.
 */
#include "explore/executor/lost_run.h"

#include "explore/executor/knowledge.h"
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

/* --- what it added: as src/runtime/additions.c writes it, but the process may have been anywhere --- */

static void append_granule(struct text *record, struct addition *adds, const struct knowledge *known, uint32_t place) {
  if (place >= MAX_SHARED || adds->n_shared == MAX_SHARED) return;
  const struct granule_addition granule = {.address = known->shared[place].address,
                                           .place = place,
                                           .mask = (uint8_t)known->shared[place].mask,
                                           .cuts = known->cuts[place]};
  text_append_bytes(record, &granule, sizeof granule);
  adds->n_shared++;
}

static void append_granules(struct text *record, struct addition *adds, const struct process_knowledge *process) {
  const uint32_t n_changed = process->untold.n_changed;
  for (uint32_t i = 0; i < n_changed && i < MAX_SHARED; i++)
    append_granule(record, adds, &process->known, process->untold.changed[i]);
  for (uint32_t i = process->untold.shared; i < knowledge_shared(&process->known); i++)
    append_granule(record, adds, &process->known, i);
}

static uint32_t count_from(uint32_t told, uint32_t count) {
  return told < count ? count - told : 0;
}

/* Those that have a text; the sum is not right if there are others. */
static void append_observed(struct text *record, struct addition *adds, const struct observations *list) {
  const uint32_t most_bytes = list->text_bytes < MAX_OBSERVED_TEXT ? list->text_bytes : MAX_OBSERVED_TEXT;
  for (uint32_t i = 0; i < list->n_observed && i < MAX_OBSERVED; i++) {
    const struct observed_addition observed = {.runs = list->observed[i].runs,
                                               .text_bytes = list->observed[i].text_bytes};
    if (observed.text_bytes > most_bytes - adds->observed_bytes) return;
    text_append_bytes(record, &observed, sizeof observed);
    adds->observed_bytes += observed.text_bytes;
    adds->n_observed++;
  }
}

static void append_covered(struct text *record, struct addition *adds, const struct lost_run *lost) {
  for (uint32_t i = 0; i < lost->coverage_bytes; i++) {
    if (lost->covered[i] != 1 || lost->covered_before[i]) continue;
    text_append_bytes(record, &i, sizeof i);
    adds->n_covered++;
  }
}

static void append_additions(struct text *record, struct trace *trace, const struct lost_run *lost) {
  const struct process_knowledge *process = lost->process;
  const struct knowledge *known = &process->known;
  const struct untold *untold = &process->untold;
  struct addition *adds = &trace->adds;
  append_granules(record, adds, process);
  adds->n_warnings = count_from(untold->warnings, knowledge_warnings(known));
  text_append_bytes(record, known->warnings + untold->warnings, adds->n_warnings * sizeof *known->warnings);
  append_observed(record, adds, &untold->observations);
  adds->n_touches = count_from(untold->touches, knowledge_touches(known));
  text_append_bytes(record, known->touches + untold->touches, adds->n_touches * sizeof *known->touches);
  adds->n_births = count_from(untold->births, knowledge_births(known));
  text_append_bytes(record, known->births + untold->births, adds->n_births * sizeof *known->births);
  adds->n_threads = count_from(untold->threads, knowledge_threads(known));
  text_append_bytes(record, known->threads + untold->threads, adds->n_threads * sizeof *known->threads);
  append_covered(record, adds, lost);
  adds->observed_sum = untold->observed_sum;
  adds->most_threads = known->most_threads;
  trace->version = known->version + addition_changes_runs(adds);
  trace->seal = known->seal;
  if (known->overflow) trace->flags |= TRACE_TABLE_FULL;
}

void lost_run_write(struct text *record, const struct lost_run *lost, const struct plan *plan,
                    const struct channel *channel, const char *ring, uint64_t ring_bytes) {
  const uint32_t run = channel->ticket == plan->ticket && channel->run < plan->runs ? channel->run : 0;
  const bool known = channel->ticket == plan->ticket && channel->live_at % 8 == 0;
  struct trace trace = {
      .form = RECORD_TRACE,
      .flags = TRACE_PLAN_DONE | (plan->seen && lost->newest_shared >= plan->seen ? TRACE_CARRIES : 0),
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
  trace.n_steps += trace_first_step(&trace, plan);
  trace.plan_steps = trace.n_steps;
  if (lost->process) append_additions(record, &trace, lost);
  trace.message_bytes = (uint32_t)strlen(lost->message) + 1;
  text_append_bytes(record, lost->message, trace.message_bytes);
  if (lost->process) text_append_bytes(record, lost->process->untold.observations.text, trace.adds.observed_bytes);
  text_append_bytes(record, "\0\0\0\0\0\0\0", round_up_8(record->length) - record->length);
  trace.size_bytes = (uint32_t)record->length;
  memcpy(record->string, &trace, sizeof trace);
}
