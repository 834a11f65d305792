/* SPDX-License-Identifier: MIT
 *
 * Everything is kept in stacks that grow with every event and shrink with order_pop: clocks, the chains of the steps
 * that touched eight bytes of memory or an object in them (a hash table has the newest of each chain), and what was
 * changed of the threads. Steps that touch too much for chains (large blocks, and those that depend on everything) are
 * in a list of their own.
 */
#include "base/error.h"
#include "trace/order_internal.h"
#include "trace/tally.h"

#include <stdlib.h>
#include <string.h>

#define PENDING_FLAGS (EVENT_GIVES_UP | EVENT_PARKED | EVENT_OF_ALL | EVENT_VALUE_KNOWN)

/* ---- clocks ---- */

static void reserve_clocks(struct order *order, size_t numbers) {
  while (order->clocks.capacity < numbers)
    order->clocks.items = memory_grow(order->clocks.items, &order->clocks.capacity, sizeof *order->clocks.items);
}

/* More threads: every clock gets longer. */
static void widen(struct order *order, uint32_t n_threads) {
  const uint32_t twice = order->width < 64 ? 0 : 2 * order->width;
  const uint32_t least = (n_threads + CLOCK_STRIDE - 1) / CLOCK_STRIDE * CLOCK_STRIDE;
  const uint32_t width = least > twice ? least : twice;
  reserve_clocks(order, (size_t)width * (order->n_clocks + 1));
  for (uint32_t i = order->n_clocks; i-- > 0;) {
    memmove(order->clocks.items + (size_t)i * width, order->clocks.items + (size_t)i * order->width,
            order->width * sizeof(uint32_t));
    memset(order->clocks.items + (size_t)i * width + order->width, 0, (width - order->width) * sizeof(uint32_t));
  }
  order->width = width;
}

static void meet_thread(struct order *order, thread_id thread) {
  while (order->threads.count <= thread) {
    const struct thread_state none = {0};
    vector_push(&order->threads, none);
    vector_push(&order->steps_of, (step_list){0});
    vector_push(&order->wides_of, (step_list){0});
  }
  if (thread >= order->width) widen(order, thread + 1u);
}

__attribute__((always_inline)) static inline void know_thread(struct order *order, thread_id thread) {
  if (thread >= order->threads.count) meet_thread(order, thread);
}

/* A copy of the thread's clock. */
static uint32_t new_clock(struct order *order, thread_id thread) {
  if (order->clocks.capacity < (size_t)order->width * (order->n_clocks + 1))
    reserve_clocks(order, (size_t)order->width * (order->n_clocks + 1));
  uint32_t *clock = clock_at(order, order->n_clocks);
  const uint32_t old = order->threads.items[thread].clock;
  if (old)
    memcpy(clock, clock_at(order, old - 1), order->width * sizeof *clock);
  else
    memset(clock, 0, order->width * sizeof *clock);
  return order->n_clocks++;
}

static struct thread_state *change_thread(struct order *order, thread_id thread) {
  const struct change change = {order->threads.items[thread], thread};
  vector_push(&order->changes, change);
  return &order->threads.items[thread];
}

/* ---- condition variables: who is woken ---- */

static void wake(struct order *order, const struct event *signal, uint32_t step) {
  const bool is_one = event_effect_of(signal) == EFFECT_SIGNALS;
  uint32_t skip = is_one ? signal->alternative : 0;
  for (thread_id i = 0; i < order->threads.count; i++) {
    const struct thread_state *thread = &order->threads.items[i];
    if (thread->waits != signal->object || thread->woken) continue;
    if (skip-- > 0 && is_one) continue;
    change_thread(order, i)->woken = step + 1;
    if (is_one) return;
  }
}

/* Of a condition variable. */
static void follow_condition(struct order *order, const struct event *event, uint32_t step) {
  if (event_is_signal(event)) {
    wake(order, event, step);
    return;
  }
  struct thread_state *state = change_thread(order, event->thread);
  const bool waits = event_effect_of(event) == EFFECT_WAITS;
  state->waits = waits ? event->object : 0;
  state->woken = 0;
  if (waits) state->relock = event->value;
}

/* ---- threads that are the same: src/runtime/twins.h ---- */

/* The class of the thread when it had taken so many steps: that of its creation, or as a read says; any other step
 * makes it a class of its own. */
static thread_id class_at(const struct order *order, thread_id thread, size_t n_steps) {
  const uint32_t group = order->threads.items[thread].group;
  if (n_steps == 0) return group ? (thread_id)(group - 1) : thread;
  const struct event *event = &order->steps.items[order->steps_of.items[thread].items[n_steps - 1]].event;
  return event_effect_of(event) == EFFECT_READS && event->before ? (thread_id)(event->before - 1) : thread;
}

enum gate { GATE_NONE, GATE_PASSED, GATE_CLOSED };

/* Does the next step of the thread come after that of a twin, and which one is it? */
static enum gate find_gate(const struct order *order, thread_id thread, uint32_t *step) {
  const uint32_t group = order->threads.items[thread].group;
  const size_t n_steps = order->steps_of.items[thread].count;
  const thread_id class = class_at(order, thread, n_steps);
  if (!group || class == thread) return GATE_NONE;
  for (thread_id other = thread; other-- > class;) {
    const step_list *steps = &order->steps_of.items[other];
    const bool belongs = other + 1u == group || order->threads.items[other].group == group;
    if (!belongs || steps->count < n_steps || class_at(order, other, n_steps) != class) continue;
    if (steps->count == n_steps) return GATE_CLOSED;
    *step = steps->items[n_steps];
    return GATE_PASSED;
  }
  return GATE_NONE;
}

/* Several may be joined after one step: a clock that nobody else has changes in its place. */
static void join_thread(struct order *order, thread_id thread, uint32_t clock) {
  const uint32_t own = order->threads.items[thread].clock;
  if (!clock) return;
  const bool is_own = own > order->own_clocks;
  const uint32_t joined = is_own ? own - 1 : new_clock(order, thread);
  join(order, clock_at(order, joined), clock - 1);
  if (!is_own) change_thread(order, thread)->clock = joined + 1;
}

/* The thread knows of the step of a twin that its next one comes after. False: it cannot be taken. */
static bool follow_twin(struct order *order, thread_id thread) {
  uint32_t step;
  if (!order->threads.items[thread].group) return true;
  const enum gate gate = find_gate(order, thread, &step);
  if (gate != GATE_PASSED) return gate == GATE_NONE;
  const uint32_t own = order->threads.items[thread].clock;
  if (!own || !knows(order, clock_at(order, own - 1), step))
    join_thread(order, thread, order->steps.items[step].clock + 1);
  return true;
}

/* ---- pushing ---- */

static void note_port(struct order *order, const struct event *event) {
  if (!event->object) return;
  uint64_t *port = &order->ports[__builtin_ctz(port_bit(event->object))];
  order->ports_meet |= *port && *port != event->object;
  *port = event->object;
}

static void add_wide(struct order *order, const struct event *event, uint32_t step) {
  vector_push(&order->wides, step);
  vector_push(&order->wides_of.items[event->thread], step);
  if (event_dependence_of(event) == DEPENDENCE_GLOBAL) vector_push(&order->globals, step);
}

/* Threads that could not move in the last step that says so, and can now. */
static void note_freed(struct order *order, uint64_t enabled, uint32_t step) {
  const uint64_t before = order->said ? order->steps.items[order->said - 1].enabled : UINT64_MAX;
  for (uint64_t rest = enabled & ~before; rest; rest &= rest - 1) {
    const thread_id thread = (thread_id)__builtin_ctzll(rest);
    vector_push(&order->freed, ((struct freed){order->held[thread], thread}));
    order->held[thread] = order->said;
  }
  order->said = step + 1;
}

/* What is needed to take the step back, but for its event. */
static void begin_record(const struct order *order, struct step_record *record, thread_id thread) {
  const struct thread_state *state = &order->threads.items[thread];
  record->before_clock = state->clock;
  record->before_last = state->last;
  record->said = order->said;
  record->changes = (uint32_t)order->changes.count;
  record->entries = (uint32_t)order->entries.count;
  record->wides = (uint32_t)order->wides.count;
  record->inner = (uint32_t)order->inner.count;
  record->freed = (uint32_t)order->freed.count;
}

static void keep_enabled(struct order *order, struct step_record *record, const uint64_t *enabled, size_t n_words) {
  record->enabled = n_words ? enabled[0] : 0;
  record->wide = (uint32_t)order->words.count;
  record->n_wide = n_words > 1 ? (uint32_t)n_words : 0;
  for (size_t i = 0; i < record->n_wide; i++) vector_push(&order->words, enabled[i]);
}

/* The step joins the lists that the races of later ones are found by. */
static void list_step(struct order *order, const struct event *event, const struct places *places, uint32_t step) {
  vector_push(&order->steps_of.items[event->thread], step);
  order_add_entries(order, places, event, step);
  if (places->is_small) return;
  if (tally_counts(event)) tallies_push(order->tallies, event, step);
  if (is_wide(event)) add_wide(order, event, step);
  if (event_class_of(event) == CLASS_CONDITION) follow_condition(order, event, step);
}

/* The record is counted when its races are found. */
static struct step_record *next_record(struct order *order) {
  if (order->steps.count == order->steps.capacity)
    order->steps.items = memory_grow(order->steps.items, &order->steps.capacity, sizeof *order->steps.items);
  return &order->steps.items[order->steps.count];
}

static void push_step(struct order *order, const struct event *event, const uint64_t *enabled, size_t n_words) {
  const uint32_t step = (uint32_t)order->steps.count;
  struct step_record *record = next_record(order);
  struct thread_state *state = &order->threads.items[event->thread];
  struct places places;
  record->event = *event;
  begin_record(order, record, event->thread);
  keep_enabled(order, record, enabled, n_words);
  order_find_places(event, &places);
  order_find_slots(order, &places);
  record->is_small = places.is_small;
  if (event_class_of(event) == CLASS_PORT) note_port(order, event);
  record->clock = new_clock(order, event->thread);
  uint32_t *clock = clock_at(order, record->clock);
  order_find_races(order, event, &places, clock);
  clock[event->thread] = step + 1;
  state->clock = record->clock + 1;
  state->last = step + 1;
  order->own_clocks = order->n_clocks;
  if (says_who_could_move(event)) note_freed(order, record->enabled, step);
  order->steps.count++;
  list_step(order, event, &places, step);
}

/* All arrivals of the round happen before leaving. */
static void leave_barrier(struct order *order, const struct event *event) {
  uint64_t left = UINT64_MAX;
  for (uint32_t e = order->slots[slot_of(order, event->object >> 3)].newest; e && left;
       e = order->entries.items[e - 1].previous) {
    const struct step_record *earlier = &order->steps.items[order->entries.items[e - 1].step];
    if (!event_arrives(&earlier->event) || earlier->event.object != event->object) continue;
    if (left == UINT64_MAX) left = earlier->event.size;
    left--;
    join_thread(order, event->thread, earlier->clock + 1);
  }
}

/* The receive of a message happens before its synchronous send is over. */
static void return_from_send(struct order *order, const struct event *event) {
  for (uint32_t e = order->slots[slot_of(order, ALL_PORTS_KEY)].newest; e; e = order->entries.items[e - 1].previous) {
    const struct step_record *earlier = &order->steps.items[order->entries.items[e - 1].step];
    if (event_effect_of(&earlier->event) != EFFECT_RECEIVES || earlier->event.value != event->value) continue;
    join_thread(order, event->thread, earlier->clock + 1);
    return;
  }
}

/* The request may have woken it from joining, which is not a step. */
static void follow_request(struct order *order, thread_id thread) {
  for (size_t i = order->wides.count; i-- > 0;) {
    const struct step_record *record = &order->steps.items[order->wides.items[i]];
    if (event_effect_of(&record->event) != EFFECT_CANCELS || record->event.object != thread) continue;
    join_thread(order, thread, record->clock + 1);
    return;
  }
}

static void push_inner(struct order *order, const struct event *event, uint32_t step) {
  const enum event_class class = event_class_of(event);
  if (class == CLASS_CONDITION) follow_condition(order, event, step);
  if (class == CLASS_MEMORY || class == CLASS_SEMAPHORE) vector_push(&order->inner, ((struct inner){*event, step}));
}

static void meet_member(struct order *order, const struct event *creation) {
  know_thread(order, (thread_id)creation->object);
  order->threads.items[creation->object].group = creation->size;
  order->has_groups |= creation->size != 0;
}

static void push_other(struct order *order, const struct event *event) {
  const uint32_t length = (uint32_t)order->steps.count;
  if (length == 0) { /* before the first choice everything is in the order of one thread */
    if (event_effect_of(event) == EFFECT_CREATES) meet_member(order, event);
    return;
  }
  switch (event_effect_of(event)) {
  case EFFECT_CREATES: {
    know_thread(order, (thread_id)event->object);
    struct thread_state *child = change_thread(order, (thread_id)event->object);
    *child = (struct thread_state){
        .clock = order->threads.items[event->thread].clock, .ready = length, .group = event->size};
    order->has_groups |= event->size != 0;
    order->own_clocks = order->n_clocks; /* both have it */
    return;
  }
  case EFFECT_JOINS:
    know_thread(order, (thread_id)event->object);
    join_thread(order, event->thread, order->threads.items[event->object].clock);
    break;
  case EFFECT_LEAVES: leave_barrier(order, event); break;
  case EFFECT_RETURNS: return_from_send(order, event); break;
  case EFFECT_RESUMES: join_thread(order, event->thread, order->threads.items[event->value].clock); break;
  case EFFECT_OBEYS: follow_request(order, event->thread); break;
  default:
    if (event->flags & EVENT_IN_SECTION) push_inner(order, event, length - 1);
    return;
  }
  change_thread(order, event->thread)->ready = length;
}

void order_push(struct order *order, const struct event *event, const uint64_t *enabled, size_t n_words) {
  know_thread(order, event->thread);
  if (!event_is_step(event)) {
    push_other(order, event);
    return;
  }
  if (order->has_groups) follow_twin(order, event->thread);
  push_step(order, event, enabled, n_words);
}

void order_push_trace(struct order *order, const struct trace_view *trace) {
  for (uint32_t i = 0; i < trace->record->n_events; i++) {
    const struct event *event = &trace->events[i];
    if (event_is_step(event))
      order_push(order, event, trace_enabled_set(trace, event), trace_enabled_words(trace, event));
    else
      order_push(order, event, NULL, 0);
  }
}

static void take_back_changes(struct order *order, uint32_t n_changes) {
  while (order->changes.count > n_changes) {
    const struct change *change = &order->changes.items[--order->changes.count];
    order->threads.items[change->thread] = change->before;
  }
}

/* The last step leaves the lists of its thread. */
static void unlist_step(struct order *order, const struct step_record *record) {
  const struct event *event = &record->event;
  order->steps_of.items[event->thread].count--;
  if (record->is_small) return;
  if (is_wide(event)) {
    order->wides_of.items[event->thread].count--;
    order->globals.count -= event_dependence_of(event) == DEPENDENCE_GLOBAL;
  }
  if (tally_counts(event)) tallies_pop(order->tallies, event);
}

static void take_back_step(struct order *order) {
  const struct step_record *record = &order->steps.items[--order->steps.count];
  struct thread_state *state = &order->threads.items[record->event.thread];
  unlist_step(order, record);
  take_back_changes(order, record->changes);
  state->clock = record->before_clock;
  state->last = record->before_last;
}

void order_pop(struct order *order, uint32_t n_steps) {
  if (n_steps >= order->steps.count) return;
  const struct step_record *record = &order->steps.items[n_steps];
  while (order->steps.count > n_steps) take_back_step(order);
  while (order->entries.count > record->entries) {
    const struct entry *entry = &order->entries.items[--order->entries.count];
    order->slots[entry->slot].newest = entry->previous;
  }
  while (order->freed.count > record->freed) {
    const struct freed *freed = &order->freed.items[--order->freed.count];
    order->held[freed->thread] = freed->before;
  }
  order->said = record->said;
  order->wides.count = record->wides;
  order->words.count = record->wide;
  order->inner.count = record->inner;
  order->n_clocks = order->own_clocks = record->clock;
  order->races.count = 0;
}

/* ---- asking ---- */

struct order *order_create(void) {
  struct order *order = memory_allocate(sizeof *order);
  order->tallies = tallies_create();
  order_grow_slots(order);
  return order;
}

void order_destroy(struct order *order) {
  vector_free(&order->steps);
  vector_free(&order->changes);
  vector_free(&order->entries);
  vector_free(&order->wides);
  vector_free(&order->words);
  vector_free(&order->inner);
  vector_free(&order->globals);
  vector_free(&order->freed);
  for (size_t i = 0; i < order->threads.count; i++) {
    vector_free(&order->steps_of.items[i]);
    vector_free(&order->wides_of.items[i]);
  }
  vector_free(&order->steps_of);
  vector_free(&order->wides_of);
  vector_free(&order->threads);
  vector_free(&order->clocks);
  vector_free(&order->races);
  vector_free(&order->candidates);
  vector_free(&order->late);
  vector_free(&order->reversed);
  vector_free(&order->others);
  tallies_destroy(order->tallies);
  free(order->slots);
  free(order);
}

uint32_t order_length(const struct order *order) {
  return (uint32_t)order->steps.count;
}

const struct event *order_event(const struct order *order, uint32_t step) {
  return &order->steps.items[step].event;
}

bool order_happens_before(const struct order *order, uint32_t step, uint32_t later) {
  return happens_before(order, step, later);
}

thread_id order_threads(const struct order *order) {
  return (thread_id)order->threads.count;
}

uint32_t order_last_step_of(const struct order *order, thread_id thread) {
  return thread < order->threads.count ? order->threads.items[thread].last : 0;
}

const uint32_t *order_clock(const struct order *order, uint32_t step) {
  return clock_at(order, order->steps.items[step].clock);
}

const uint32_t *order_thread_clock(const struct order *order, thread_id thread) {
  const uint32_t clock = thread < order->threads.count ? order->threads.items[thread].clock : 0;
  return clock ? clock_at(order, clock - 1) : NULL;
}

const struct race *order_races(const struct order *order, size_t *count) {
  *count = order->races.count;
  return order->races.items;
}

bool order_find_pending_races(struct order *order, const struct pending *pending, struct event *event) {
  order->races.count = 0;
  if (!kind_is_visible(pending->kind)) return false;
  know_thread(order, pending->thread);
  *event = (struct event){.kind = pending->kind,
                          .object = pending->object,
                          .value = pending->value,
                          .before = pending->before,
                          .size = pending->size,
                          .thread = pending->thread,
                          .site = pending->site,
                          .alternatives = 1,
                          .flags = (uint8_t)(EVENT_VISIBLE | (pending->flags & PENDING_FLAGS))};
  const struct thread_state *state = &order->threads.items[pending->thread];
  if (kind_effect(pending->kind) == EFFECT_WAITS) event->value = pending->mutex;
  if (kind_effect(pending->kind) == EFFECT_RELOCKS) {
    const bool is_signalled = !state->waits || state->woken;
    if (!is_signalled && !(pending->flags & EVENT_GIVES_UP)) return false;
    if (!is_signalled) event->kind = kind_in_vain(event->kind);
    event->value = state->relock;
  }
  if (event_is_exchange(event) && event->flags & EVENT_VALUE_KNOWN && event->value != event->before)
    event->kind = kind_in_vain(event->kind);
  struct places places;
  order_find_places(event, &places);
  order_find_slots(order, &places);
  if (!follow_twin(order, pending->thread)) return false;
  const uint32_t place = new_clock(order, pending->thread);
  order->is_pending = true;
  order_find_races(order, event, &places, clock_at(order, place));
  order->is_pending = false;
  order->n_clocks--;
  return order->races.count > 0;
}
