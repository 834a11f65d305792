/* SPDX-License-Identifier: MIT
 *
 * Writing traces. Events go straight to their place in the trace ring; only when the run is over, and only if the
 * engine wants it, the record is completed and published. A run takes at most half of the ring.
 */
#include "trace.h"
#include "additions.h"
#include "ends.h"
#include "executor.h"
#include "model/kinds.h"
#include "process.h"
#include "rounds.h"
#include "schedule.h"
#include "terms.h"
#include "twins.h"

#include <linux/futex.h>

#define FIXED_ROOM_BYTES (1u << 20) /* for everything but events, wide sets and terms */
#define USED_BYTES (4u << 20) /* of the ring, before it is used from its beginning again: the rest costs no memory */
#define MAX_BLOCKS_LISTED 16384u

static struct ring *ring(void) {
  return &rt->channel->traces;
}

static uint64_t ring_bytes(void) {
  return rt->channel->trace_ring_bytes;
}

static uint64_t room_bytes(void) {
  return ring_bytes() / 2;
}

static struct trace *trace_at(uint64_t position) {
  return (struct trace *)((char *)channel_at(rt->channel, rt->channel->trace_ring_offset) + position % ring_bytes());
}

static void wake_reader(void) {
  /* Pairs with the reader setting the flag before it looks at `written` again (abi/channel.h). */
  if (atomic_load(&ring()->reader_waits) && atomic_exchange(&ring()->reader_waits, 0))
    system_call(SYS_futex, &ring()->written, FUTEX_WAKE, 1);
}

static void wait_until_free(uint64_t needed) {
  for (;;) {
    const uint64_t written = atomic_load_explicit(&ring()->written, memory_order_relaxed);
    /* acquire: the reader is done with what it freed */
    if (written + needed <= atomic_load_explicit(&ring()->read, memory_order_acquire) + ring_bytes()) return;
    atomic_store(&ring()->writer_waits, 1);
    const uint64_t read = atomic_load(&ring()->read);
    if (written + needed <= read + ring_bytes()) continue;
    wake_reader();
    struct {
      long seconds, nanoseconds;
    } second = {1, 0};
    system_call(SYS_futex, &ring()->read, FUTEX_WAIT, (uint32_t)read, &second);
    if (atomic_load(&rt->channel->stopping)) return;
  }
}

void trace_wait_for_room(void) {
  const uint64_t written = atomic_load_explicit(&ring()->written, memory_order_relaxed);
  const uint64_t place = written % ring_bytes(), rest = ring_bytes() - place;
  if (place > USED_BYTES) {
    wait_until_free(rest);
    *(uint32_t *)trace_at(written) = (uint32_t)rest | RING_SKIP;
    atomic_store(&ring()->written, written + rest);
    wake_reader();
  }
  wait_until_free(room_bytes());
}

void trace_begin(void) {
  trace_wait_for_room();
  const uint64_t written = atomic_load_explicit(&ring()->written, memory_order_relaxed);
  rt->events = (struct event *)(trace_at(written) + 1);
  rt->wide_words = WIDE_WORDS;
  rt->n_events = rt->n_words_written = 0;
  const uint64_t others = FIXED_ROOM_BYTES + ADDITION_BYTES + terms_room_bytes() + 2 * coverage_room_bytes();
  if (room_bytes() <= others) executor_die("there is no room for its terms");
  rt->max_recorded = (uint32_t)((room_bytes() - others) / sizeof(struct event));
  rt->recorded_quickly = rt->kernel_threads ? 0 : rt->max_recorded - 1;
  rt->channel->live_at = written;
  rt->channel->live_events = 0;
}

/* Of any size. */
static __attribute__((noinline)) uint64_t load_bytes(uint64_t address, uint32_t size) {
  uint64_t value = 0;
  if (size == 1) return *(const uint8_t *)address;
  if (size == 2) return *(const uint16_t *)address;
  memcpy(&value, (const void *)address, size < 8 ? size : 8);
  return value;
}

/* Most are of a word. */
INLINED uint64_t trace_load(uint64_t address, uint32_t size) {
  if (size == 4) return *(const uint32_t *)address;
  return size == 8 ? *(const uint64_t *)address : load_bytes(address, size);
}

bool late_load(uint64_t address, uint64_t size, uint64_t *value); /* late_load.S */

/* A size that no instruction has. */
static bool peek_bytes(uint64_t address, uint32_t size, uint64_t *value) {
  for (uint32_t i = 0; i < size; i++) {
    uint64_t byte;
    if (!late_load(address + i, 1, &byte)) return false;
    *value |= byte << 8 * i;
  }
  return true;
}

static inline bool peek(uint64_t address, uint32_t size, uint64_t *value) {
  *value = 0;
  if (size > 8) return late_load(address, 8, value);
  return UNLIKELY(size & (size - 1)) ? peek_bytes(address, size, value) : late_load(address, size, value);
}

bool trace_peek(uint64_t address, uint32_t size, uint64_t *value) {
  return peek(address, size, value);
}

static __attribute__((noinline)) void complete_value(struct thread *thread) {
  struct event *event = &rt->events[thread->valued_event - 1];
  access_ends(thread, thread->valued_event - 1);
  thread->valued_event = 0;
  if (peek(event->object, event->size, &event->value)) event->flags |= EVENT_VALUE_KNOWN;
  thread->n_changes += event->value != event->before;
}

INLINED void trace_complete_value(struct thread *thread) {
  if (thread->valued_event) complete_value(thread);
}

static void record_enabled(struct event *event) {
  if (rt->n_words == 1) {
    event->enabled = rt->enabled.words[0];
    return;
  }
  event->flags |= EVENT_WIDE;
  event->enabled = rt->n_words_written;
  for (uint32_t i = 0; i < rt->n_words; i++) rt->wide_words[rt->n_words_written++] = rt->enabled.words[i];
}

static bool fits(uint64_t most) {
  const uint64_t words_as_events = (rt->n_words_written + rt->n_words) / 5 + 1;
  return rt->n_events + words_as_events < most;
}

/* After every event if there is a debugger, which can stop here (src/cli/debugger.c), or if there are sets of threads
 * above 63; otherwise only when there is no room left. Nothing of it is inlined anywhere. */
static __attribute__((noinline)) void trace_was_recorded(site_id site) {
  if (!fits(rt->max_recorded)) finish_run(OUTCOME_TOO_MANY_EVENTS, site, 0);
}

/* What an event has that depends on whose step it is, and who else is to see it. */
static __attribute__((noinline)) void complete_unusual(struct event *event) {
  const struct thread *thread = self();
  if (kind_is_visible(event->kind)) {
    if (rt->section_owner == thread->id) {
      event->flags = EVENT_IN_SECTION;
    } else {
      event->flags = EVENT_VISIBLE | thread->step_flags;
      record_enabled(event);
    }
    if (thread->operation.can_give_up) event->flags |= EVENT_GIVES_UP;
    if (rt->n_twin_reads) twins_overwrite(event);
  }
  if (rt->n_attentive) rounds_see(self(), event);
}

/* The same if nothing is unusual. */
static inline void complete_usual(struct event *event, const struct thread *thread) {
  if (!kind_is_visible(event->kind)) return;
  event->flags = EVENT_VISIBLE | thread->step_flags | (thread->operation.can_give_up ? EVENT_GIVES_UP : 0);
  event->enabled = rt->enabled.words[0];
}

/* Events before the step the plan wants recorded are written to a place that is overwritten. */
static inline bool is_recorded(const struct plan *plan) {
  return !plan->record_from || rt->n_steps > plan->record_from || rt->is_carrying;
}

INLINED struct event *trace_record_access(uint8_t kind, uint64_t object, uint32_t size, site_id site) {
  const struct thread *thread = self();
  struct event *event = &rt->events[rt->n_events];
  *event = (struct event){
      .object = object, .size = size, .site = site, .thread = thread->id, .kind = kind, .alternatives = 1};
  if (UNLIKELY(!is_usual()))
    complete_unusual(event);
  else
    complete_usual(event, thread);
  if (!is_recorded(rt->plan)) return event;
  const uint32_t count = ++rt->n_events;
  rt->channel->live_events = count;
  if (UNLIKELY(count >= rt->recorded_quickly)) trace_was_recorded(site);
  return event;
}

struct event *trace_record(uint8_t kind, uint64_t object, uint32_t size, site_id site) {
  rt->n_lifetimes += kind_effect(kind) == EFFECT_RENEWS;
  return trace_record_access(kind, object, size, site);
}

static void *append(void *at, const void *bytes, size_t count) {
  memcpy(at, bytes, count);
  return (char *)at + count;
}

static uint32_t append_pendings(struct pending *pendings) {
  uint32_t count = 0;
  for (uint32_t i = 0; i <= rt->highest_thread; i++) {
    const struct thread *thread = &rt->threads[i];
    if (thread->state == ABSENT || thread->state == ENDED) continue;
    pending_describe(thread, &pendings[count++]);
  }
  return count;
}

/* ---- terms ---- */

static bool comes_before(const struct input_value *a, const struct input_value *b) {
  return a->thread != b->thread ? a->thread < b->thread : a->index < b->index;
}

static void sift_down(struct input_value *values, uint32_t at, uint32_t count) {
  const struct input_value moving = values[at];
  for (uint32_t child; (child = 2 * at + 1) < count; at = child) {
    if (child + 1 < count && comes_before(&values[child], &values[child + 1])) child++;
    if (!comes_before(&moving, &values[child])) break;
    values[at] = values[child];
  }
  values[at] = moving;
}

/* Mostly they are in order: one thread asked for all. */
static void sort_values(struct input_value *values, uint32_t count) {
  uint32_t sorted = 1;
  while (sorted < count && comes_before(&values[sorted - 1], &values[sorted])) sorted++;
  if (sorted >= count) return;
  for (uint32_t i = count / 2; i-- > 0;) sift_down(values, i, count);
  for (uint32_t last = count - 1; last > 0; last--) {
    const struct input_value largest = values[0];
    values[0] = values[last];
    values[last] = largest;
    sift_down(values, 0, last);
  }
}

/* The program may have written over the counts. */
static uint32_t at_most(uint32_t count, uint32_t most) {
  return count < most ? count : most;
}

static char *append_terms(struct trace *trace, char *at) {
  struct term_log *log = the_log;
  trace->n_terms = at_most(log->n_terms, rt->max_terms);
  trace->n_decisions = at_most(log->n_decisions, rt->max_terms);
  trace->n_inputs = at_most(log->n_inputs, rt->max_terms);
  trace->n_input_values = at_most(log->n_values, rt->max_terms);
  trace->names_bytes = at_most(log->names_bytes, TERM_NAMES_BYTES);
  if (log->full) trace->flags |= TRACE_TERMS_FULL;
  sort_values(log->values, trace->n_input_values);
  at = append(at, log->terms + 1, trace->n_terms * sizeof *log->terms);
  at = append(at, log->decisions, trace->n_decisions * sizeof *log->decisions);
  at = append(at, log->inputs, trace->n_inputs * sizeof *log->inputs);
  at = append(at, log->values, trace->n_input_values * sizeof *log->values);
  trace->n_accesses = at_most(log->n_accesses, rt->max_terms);
  return append(at, log->accesses, trace->n_accesses * sizeof *log->accesses);
}

/* What consists of words of four bytes or less comes after what has more. */
static char *append_rest(struct trace *trace, char *at) {
  if (rt->plan->flags & PLAN_SYMBOLIC_READS)
    at += (trace->n_covered = coverage_list((uint32_t *)at)) * sizeof(uint32_t);
  if (rt->max_terms) at = append(at, the_log->names, trace->names_bytes);
  trace->message_bytes = (uint32_t)string_length(rt->message) + 1;
  at = append(at, rt->message, trace->message_bytes);
  return additions_append_text(trace, at);
}

void trace_publish(uint32_t flags) {
  const uint64_t written = atomic_load_explicit(&ring()->written, memory_order_relaxed);
  struct trace *trace = trace_at(written);
  *trace = (struct trace){
      .form = RECORD_TRACE,
      .flags = flags | (rt->shared_grew ? TRACE_SHARED_GREW : 0) | (rt->has_marked ? TRACE_MARKED : 0) |
               (rt->needs_fork ? TRACE_NEEDS_FORK : 0) | (rt->left_out ? TRACE_LEFT_OUT : 0) |
               (rt->held_back ? TRACE_HELD_BACK : 0) | (rt->is_carrying ? TRACE_CARRIES : 0) |
               (rt->late.hides ? TRACE_HIDES : 0) | (rt->slept ? TRACE_SLEPT : 0),
      .ticket = rt->plan->ticket,
      .seed = rt->seed,
      .run = rt->run_of_plan,
      .n_steps = rt->n_steps,
      .plan_steps = rt->plan_steps,
      .plan_discarded = rt->plan_discarded,
      .plan_rounds = rt->plan_rounds,
      .address = rt->outcome_address,
      .outcome = rt->outcome,
      .status = rt->status,
      .site = rt->outcome_site,
      .thread = rt->outcome_thread,
      .n_threads = (uint16_t)rt->n_threads,
      .switches = rt->switches,
      .instruction = rt->instruction,
      .last_site = rt->last_site,
      .n_events = rt->n_events,
      .n_words = rt->n_words_written,
  };
  if (rt->stack[0]) memcpy(trace->stack, rt->stack, sizeof trace->stack);
  char *at = append(rt->events + rt->n_events, WIDE_WORDS, rt->n_words_written * sizeof(uint64_t));
  trace->n_pending = append_pendings((struct pending *)at);
  at += trace->n_pending * sizeof(struct pending);
  if (rt->plan->flags & PLAN_BLOCKS) trace->n_blocks = heap_list_blocks((struct block *)at, MAX_BLOCKS_LISTED);
  at += trace->n_blocks * sizeof(struct block);
  if (rt->max_terms) at = append_terms(trace, at);
  at = additions_append(trace, at);
  at = append_rest(trace, at);
  trace->size_bytes = (uint32_t)round_up_8((uint64_t)(at - (char *)trace));
  trace->check = record_check(trace, trace->size_bytes, rt->generation);
  /* release: the record is complete before the reader sees the new position */
  atomic_store(&ring()->written, written + trace->size_bytes);
  wake_reader();
  additions_were_told(trace);
}
