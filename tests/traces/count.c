/* SPDX-License-Identifier: MIT
 *
 * Counts the Mazurkiewicz traces among the runs of an exploration, by brute force and without the engine's own idea of
 * happens-before: an oracle for the strategies that reduce.
 *
 *     count-traces STRATEGY[:N] EXECUTABLE [SEED [ARGUMENT...]]    prints "runs N blocked N traces N deadlocks N
 * failures N"; with at most N preemptions
 *
 * The strategy is wrapped in one that asks for whole traces. An event gets a hash of itself, the event before it in its
 * thread and all earlier events it depends on; the sum of these hashes is the same for equivalent runs and, up to
 * collisions of 64 bits, for no others. `deadlocks` are the traces that end in one, `failures` those that end with
 * another finding. With `exhaustive` all traces are counted; with another strategy, those it came to (runs that its
 * sleep sets stopped are not counted as traces).
 *
 * Dependence is stated plainly: two events depend if they touch one object or overlapping memory and one of them
 * changes it; sending to a port whose sends do not wait changes nothing that another send would see. Of a program with
 * inputs, what its decisions say belongs to the trace. A semaphore is two objects, so that posts commute: its tokens,
 * which takers change, and its posts, which who needs one or looks at the value changes. The first takers of a run, as
 * many as there were tokens at first, do not need a post; how many these are, the first event of the semaphore says.
 * What the runtime says depends on everything (a third time-out in a row, say) does.
 */
#include "base/error.h"
#include "explore/loop/explore.h"
#include "trace/tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What an event touches: bytes from..to, and whether it changes them. */
struct touched_bytes {
  uint64_t from, to;
  bool changes;
};

#define MOST_TOUCHES 8 /* a selective wait touches its open ports */

struct footprint {
  struct touched_bytes touches[MOST_TOUCHES];
  unsigned count;
  bool everything;
};

struct seen_event {
  uint64_t hash;
  thread_id thread;
  struct footprint footprint;
};

/* A semaphore of the current run: how many takers still find a token that was there at first. */
struct semaphore {
  uint64_t object, tokens;
};

static const struct strategy *wrapped;
static VECTOR(struct seen_event) events;
static VECTOR(struct semaphore) semaphores;
static struct {
  uint64_t *slots; /* 0: empty */
  size_t capacity, count, deadlocks, failures;
} traces;
static uint32_t record_from[65536]; /* of the targets under way, in their order */
static uint64_t asked, answered;

static uint64_t mix(uint64_t x) {
  x = (x ^ x >> 31) * 0x9fb21c651e98df25ull;
  x = (x ^ x >> 29) * 0xd6e8feb86659fd93ull;
  return x ^ x >> 32;
}

/* --- dependence --- */

static void add_touch(struct footprint *footprint, uint64_t from, uint64_t size, bool changes) {
  BUG_ON(footprint->count == MOST_TOUCHES);
  footprint->touches[footprint->count++] = (struct touched_bytes){from, from + size, changes};
}

/* The value is what the semaphore has after the event. */
static uint64_t tokens_before(const struct event *event) {
  if (event->kind == EVENT_SEMAPHORE_POST) return event->value - 1;
  return event->value + event_takes_token(event);
}

static struct semaphore *semaphore_of(const struct event *event) {
  for (size_t i = 0; i < semaphores.count; i++)
    if (semaphores.items[i].object == event->object) return &semaphores.items[i];
  vector_push(&semaphores, ((struct semaphore){event->object, tokens_before(event)}));
  return &semaphores.items[semaphores.count - 1];
}

static void add_semaphore(struct footprint *footprint, const struct event *event) {
  struct semaphore *const semaphore = semaphore_of(event);
  const bool needs_no_post = event_takes_token(event) && semaphore->tokens > 0;
  const bool posts = event->kind == EVENT_SEMAPHORE_POST;
  if (needs_no_post) semaphore->tokens--;
  if (!posts) add_touch(footprint, event->object, 1, true);
  if (!needs_no_post) add_touch(footprint, event->object + 1, 1, !posts);
}

#define ASLEEP (1ull << 60) /* who sleeps on a futex is not in the bytes of its word */

static void add_futex(struct footprint *footprint, const struct event *event) {
  add_touch(footprint, event->object + ASLEEP, 1, event->kind == EVENT_FUTEX_WAKE);
  if (event->kind == EVENT_FUTEX_WAIT) add_touch(footprint, event->object, 4, false);
}

static bool commutes_with_its_like(const struct event *event) {
  switch (event->kind) {
  case EVENT_PORT_SEND:
  case EVENT_PORT_CALL:
  case EVENT_CONDITION_WAIT:
  case EVENT_CONDITION_TIMED_OUT:
  case EVENT_CONDITION_SPURIOUS: return true;
  default: return event_row(event->kind)->dependence == DEPENDENCE_READS;
  }
}

/* The events that follow a selective wait name its open ports. */
static void add_open_ports(struct footprint *footprint, const struct trace_view *trace, uint32_t i) {
  while (++i < trace->record->n_events && trace->events[i].kind == EVENT_PORT_OPEN)
    add_touch(footprint, trace->events[i].object, 1, true);
}

static struct footprint footprint_of(const struct trace_view *trace, uint32_t i) {
  const struct event *event = &trace->events[i];
  const struct event_row *row = event_row(event->kind);
  struct footprint footprint = {.everything =
                                    row->dependence == DEPENDENCE_GLOBAL || (event->flags & EVENT_OF_ALL) != 0};
  if (row->dependence == DEPENDENCE_INDEPENDENT || row->class == CLASS_NOTHING) return footprint;
  const bool takes_mutex = event->kind == EVENT_CONDITION_WAIT || event->kind == EVENT_CONDITION_WAKE;
  if (takes_mutex) add_touch(&footprint, event->value, 1, true);
  if (event->kind == EVENT_CONDITION_WAKE) return footprint; /* the signal before it is before its mutex is free */
  if (row->class == CLASS_SEMAPHORE) return add_semaphore(&footprint, event), footprint;
  if (row->class == CLASS_FUTEX) return add_futex(&footprint, event), footprint;
  add_touch(&footprint, event->object, row->class == CLASS_MEMORY ? event->size : 1, !commutes_with_its_like(event));
  if (row->class == CLASS_PORT) add_open_ports(&footprint, trace, i);
  return footprint;
}

static bool touches_meet(const struct touched_bytes *a, const struct touched_bytes *b) {
  return (a->changes || b->changes) && a->from < b->to && b->from < a->to;
}

static bool depend(const struct footprint *a, const struct footprint *b) {
  if (a->everything || b->everything) return true;
  for (unsigned i = 0; i < a->count; i++)
    for (unsigned j = 0; j < b->count; j++)
      if (touches_meet(&a->touches[i], &b->touches[j])) return true;
  return false;
}

/* --- the trace of a run --- */

static uint64_t hash_event(const struct event *event, const struct footprint *footprint) {
  uint64_t before = 0, own = 0;
  for (size_t i = 0; i < events.count; i++) {
    if (events.items[i].thread == event->thread)
      own = events.items[i].hash;
    else if (depend(&events.items[i].footprint, footprint))
      before += mix(events.items[i].hash);
  }
  const uint64_t self = mix(event->thread * 131u + event->kind) + mix(event->object) * 3 + mix(event->alternative) * 5;
  return mix(self ^ mix(own + 1) ^ mix(before + 2) * 7);
}

/* The same whatever the order of the decisions. */
static uint64_t hash_path(const struct path *path) {
  uint64_t sum = 0;
  for (size_t i = 0; path && i < path->count; i++) sum += mix(path->constraints[i] + 5);
  return sum;
}

static uint64_t hash_trace(const struct trace_view *trace, const struct path *path) {
  uint64_t sum = trace->record->outcome + hash_path(path);
  events.count = semaphores.count = 0;
  for (uint32_t i = 0; i < trace->record->n_events; i++) {
    const struct event *event = &trace->events[i];
    if (!(event->flags & EVENT_VISIBLE)) continue;
    const struct footprint footprint = footprint_of(trace, i);
    const uint64_t hash = hash_event(event, &footprint);
    vector_push(&events, ((struct seen_event){hash, event->thread, footprint}));
    sum += mix(hash + 3);
  }
  return sum | 1;
}

static bool insert(uint64_t hash) {
  size_t slot = hash % traces.capacity;
  for (; traces.slots[slot]; slot = (slot + 1) % traces.capacity)
    if (traces.slots[slot] == hash) return false;
  traces.slots[slot] = hash;
  traces.count++;
  return true;
}

static void make_room(void) {
  if (traces.count * 2 < traces.capacity) return;
  uint64_t *const old = traces.slots;
  const size_t old_capacity = traces.capacity;
  traces.capacity = old_capacity ? old_capacity * 2 : 1021;
  traces.slots = memory_allocate(traces.capacity * sizeof *traces.slots);
  traces.count = 0;
  for (size_t i = 0; i < old_capacity; i++)
    if (old[i]) insert(old[i]);
  free(old);
}

static void note_trace(const struct trace_view *trace, const struct path *path) {
  const uint32_t outcome = trace->record->outcome;
  const enum outcome_class class = outcome_row(outcome)->class;
  if (class != OUTCOME_FINE && class != OUTCOME_BUG) return;
  make_room();
  if (!insert(hash_trace(trace, path)) || class != OUTCOME_BUG) return;
  if (outcome == OUTCOME_LIVELOCK) return;
  if (outcome == OUTCOME_DEADLOCK)
    traces.deadlocks++;
  else
    traces.failures++;
}

/* --- the strategy around the strategy --- */

static void *create(const struct strategy_settings *settings) {
  traces.count = traces.deadlocks = traces.failures = 0;
  if (traces.slots) memset(traces.slots, 0, traces.capacity * sizeof *traces.slots);
  asked = answered = 0;
  return wrapped->create(settings);
}

static void destroy(void *self) {
  wrapped->destroy(self);
}

static bool next(void *self, struct target *target) {
  if (!wrapped->next(self, target)) return false;
  record_from[asked++ % (sizeof record_from / sizeof *record_from)] = target->plan.record_from;
  target->plan.record_from = 0;
  return true;
}

/* The events that the strategy had asked for. */
static uint32_t events_before_step(const struct trace_view *trace, uint32_t step) {
  uint32_t i = 0;
  for (uint32_t steps = 0; i < trace->record->n_events; i++)
    if (event_is_step(&trace->events[i]) && steps++ == step) break;
  return i;
}

static void absorb(void *self, void *cookie, const struct trace_view *trace, const struct path *path, uint64_t runs) {
  const uint32_t from = record_from[answered++ % (sizeof record_from / sizeof *record_from)];
  struct trace record = *trace->record;
  struct trace_view view = *trace;
  const uint32_t skipped = trace->record->flags & TRACE_CARRIES ? 0 : events_before_step(trace, from);
  note_trace(trace, path);
  record.n_events -= skipped;
  view.record = &record;
  view.events += skipped;
  wrapped->absorb(self, cookie, &view, path, runs);
}

static enum keeping keep(void *self, void *cookie, uint64_t version, uint64_t *n_void) {
  const enum keeping keeping = wrapped->keep ? wrapped->keep(self, cookie, version, n_void) : KEEPS_NOTHING;
  if (keeping == KEEPS_BUT_THIS) answered++;
  return keeping;
}

static void stats(const void *self, struct strategy_stats *result) {
  wrapped->stats(self, result);
}

static void end(void *self, const struct summary *summary) {
  printf("runs %llu blocked %llu traces %zu deadlocks %zu failures %zu%s\n", (unsigned long long)summary->runs,
         (unsigned long long)summary->blocked_runs, traces.count, traces.deadlocks, traces.failures,
         summary->complete ? "" : " incomplete");
}

/* All options have this value. */
static const struct option_value *find_option(const void *self, const char *name) {
  return self;
}

/* What `:N` after the strategy's name says becomes its settings; NULL: nothing. */
static void *configure(const char *bound, struct error *error) {
  const struct option_value value = {.given = true, .text = bound, .number = strtoull(bound, NULL, 10)};
  const struct option_source source = {&value, find_option};
  if (!wrapped->configure) return NULL;
  void *own = memory_allocate(wrapped->settings_bytes);
  return wrapped->configure(own, &source, error) ? own : NULL;
}

int main(int argc, char **argv) {
  static const volatile sig_atomic_t never;
  struct error error = {0};
  struct explore_result result;
  char *const bound = argc > 2 ? strchr(argv[1], ':') : NULL;
  if (bound) *bound = 0;
  wrapped = argc > 2 ? strategy_find(argv[1]) : NULL;
  if (!wrapped) return fputs("usage: count-traces STRATEGY[:N] EXECUTABLE [SEED [ARGUMENT...]]\n", stderr), 2;
  struct strategy counting = *wrapped;
  counting.create = create, counting.destroy = destroy, counting.next = next, counting.absorb = absorb;
  counting.stats = stats, counting.keep = keep;
  const char *arguments[16] = {argv[2]};
  for (int i = 4; i < argc && i < 18; i++) arguments[i - 3] = argv[i];
  const struct explore_settings settings = {
      .executor = {.executable = argv[2],
                   .arguments = arguments,
                   .max_events = 10000,
                   .max_terms = 10000,
                   .hang_seconds = 10,
                   .output = -1},
      .strategy = &counting,
      .own = bound ? configure(bound + 1, &error) : NULL,
      .seed = argc > 3 ? strtoull(argv[3], NULL, 10) : 1,
      .max_runs = NO_LIMIT,
      .solver_timeout_milliseconds = 5000,
      .max_address_targets = 256,
      .keep_going = true,
      .interrupted = &never,
  };
  const struct observer observer = {.end = end};
  if (explore(&settings, &observer, 1, &result, &error)) return 0;
  fprintf(stderr, "count-traces: %s\n", error.message);
  return 2;
}
