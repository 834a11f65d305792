/* SPDX-License-Identifier: MIT */
#include "explore/reachability/syn.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

/* ---- life ---- */

#define reserve(vector, n)                                                                                             \
  while ((vector)->capacity < (n))                                                                                     \
  (vector)->items = memory_grow((vector)->items, &(vector)->capacity, sizeof *(vector)->items)

/* `n` items of the same bytes. */
#define fill(vector, n, byte)                                                                                          \
  do {                                                                                                                 \
    reserve(vector, n);                                                                                                \
    (vector)->count = (n);                                                                                             \
    if ((n) > 0) memset((vector)->items, (byte), (n) * sizeof *(vector)->items);                                       \
  } while (0)

void syn_init(struct syn *syn, uint32_t n_threads, uint32_t n_objects) {
  syn->n_threads = n_threads;
  syn->n_objects = n_objects;
  syn->events.count = syn->clocks.count = syn->ports.count = 0;
  syn->overtakes = false;
  fill(&syn->thread_clocks, (size_t)n_threads * n_threads, 0);
  fill(&syn->object_clocks, (size_t)n_objects * n_threads, 0);
  fill(&syn->thread_lengths, n_threads, 0);
  fill(&syn->object_lengths, n_objects, 0);
  fill(&syn->last_sent, n_objects, 0xff); /* SYN_NONE */
  fill(&syn->last_on, n_objects, 0xff);
  fill(&syn->last_sent_by, (size_t)n_objects * n_threads, 0xff);
}

void syn_free(struct syn *syn) {
  vector_free(&syn->events);
  vector_free(&syn->clocks);
  vector_free(&syn->ports);
  vector_free(&syn->thread_clocks);
  vector_free(&syn->object_clocks);
  vector_free(&syn->thread_lengths);
  vector_free(&syn->object_lengths);
  vector_free(&syn->last_sent);
  vector_free(&syn->last_on);
  vector_free(&syn->last_sent_by);
}

/* ---- clocks ---- */

static uint32_t *thread_clock(struct syn *syn, uint32_t thread) {
  return &syn->thread_clocks.items[(size_t)thread * syn->n_threads];
}

static uint32_t *object_clock(struct syn *syn, uint32_t object) {
  return &syn->object_clocks.items[(size_t)object * syn->n_threads];
}

static uint32_t *timestamp(const struct syn *syn, syn_id event) {
  return &syn->clocks.items[(size_t)event * 2 * syn->n_threads];
}

const uint32_t *syn_timestamp(const struct syn *syn, syn_id event) {
  return timestamp(syn, event);
}

/* What the event's thread or object knew before it: all that happened before f in Definition 3, and f. */
static const uint32_t *control(const struct syn *syn, syn_id event) {
  return timestamp(syn, event) + syn->n_threads;
}

static void merge(const struct syn *syn, uint32_t *clock, const uint32_t *other) {
  for (uint32_t i = 0; i < syn->n_threads; i++)
    if (other[i] > clock[i]) clock[i] = other[i];
}

static void copy(const struct syn *syn, uint32_t *clock, const uint32_t *other) {
  memcpy(clock, other, syn->n_threads * sizeof *clock);
}

/* ---- building ---- */

static syn_id add(struct syn *syn, const struct syn_event *event, const uint32_t *known) {
  const syn_id id = (syn_id)syn->events.count;
  vector_push(&syn->events, *event);
  reserve(&syn->clocks, syn->clocks.count + 2 * (size_t)syn->n_threads);
  for (uint32_t half = 0; half < 2; half++) {
    memcpy(&syn->clocks.items[syn->clocks.count], known, syn->n_threads * sizeof *known);
    syn->clocks.count += syn->n_threads;
  }
  return id;
}

/* Jumps as in a skew binary list: any way back has a logarithmic number of them. */
static void set_jump(struct syn *syn, syn_id id) {
  struct syn_event *event = &syn->events.items[id];
  event->jump = id;
  event->depth = 0;
  if (event->previous == SYN_NONE) return;
  const struct syn_event *before = &syn->events.items[event->previous];
  const struct syn_event *far = &syn->events.items[before->jump];
  const bool is_even = before->depth - far->depth == far->depth - syn->events.items[far->jump].depth;
  event->depth = before->depth + 1;
  event->jump = is_even ? far->jump : event->previous;
}

/* An event of the thread itself: its clock continues. */
static syn_id add_on_thread(struct syn *syn, struct syn_event event) {
  uint32_t *clock = thread_clock(syn, event.thread);
  event.index = ++syn->thread_lengths.items[event.thread];
  event.number = clock[event.thread] + 1;
  const syn_id id = add(syn, &event, clock);
  clock[event.thread]++;
  return id;
}

syn_id syn_send(struct syn *syn, uint32_t thread, uint32_t destination, uint32_t operation) {
  syn_id *of_thread = &syn->last_sent_by.items[(size_t)destination * syn->n_threads + thread];
  const syn_id id = add_on_thread(syn, (struct syn_event){.kind = SYN_SEND,
                                                          .thread = (uint16_t)thread,
                                                          .operation = (uint16_t)operation,
                                                          .object = destination,
                                                          .partner = SYN_NONE,
                                                          .previous = *of_thread,
                                                          .previous_sent = syn->last_sent.items[destination]});
  copy(syn, timestamp(syn, id), thread_clock(syn, thread));
  set_jump(syn, id);
  *of_thread = syn->last_sent.items[destination] = id;
  return id;
}

syn_id syn_complete(struct syn *syn, uint32_t object, syn_id send, uint64_t open) {
  struct syn_event event = {.kind = SYN_COMPLETE,
                            .thread = NO_SYN_THREAD,
                            .object = object,
                            .index = ++syn->object_lengths.items[object],
                            .partner = send,
                            .previous = syn->last_on.items[object],
                            .previous_sent = SYN_NONE,
                            .open = open};
  if (send != SYN_NONE) {
    event.thread = syn->events.items[send].thread;
    event.number = syn->events.items[send].number;
  }
  const syn_id id = add(syn, &event, object_clock(syn, object));
  syn->last_on.items[object] = id;
  set_jump(syn, id);
  if (send == SYN_NONE) return id;
  const syn_id before = syn->events.items[send].previous;
  syn->overtakes |= before != SYN_NONE && syn->events.items[before].partner == SYN_NONE;
  syn->events.items[send].partner = id;
  merge(syn, object_clock(syn, object), timestamp(syn, send));
  copy(syn, timestamp(syn, id), object_clock(syn, object));
  return id;
}

/* A receiving event on a thread has its timestamp when it is known where it receives from. */
static syn_id finish_receive(struct syn *syn, syn_id id, syn_id from) {
  const uint32_t thread = syn->events.items[id].thread;
  if (from < SYN_INITIAL) merge(syn, thread_clock(syn, thread), timestamp(syn, from));
  copy(syn, timestamp(syn, id), thread_clock(syn, thread));
  return id;
}

syn_id syn_receive(struct syn *syn, uint32_t thread, syn_id send, const uint32_t *open_ports, uint32_t n_open) {
  const syn_id id = add_on_thread(syn, (struct syn_event){.kind = SYN_RECEIVE,
                                                          .thread = (uint16_t)thread,
                                                          .partner = send,
                                                          .previous = SYN_NONE,
                                                          .previous_sent = SYN_NONE,
                                                          .open_at = (uint32_t)syn->ports.count,
                                                          .n_open = (uint16_t)n_open});
  for (uint32_t i = 0; i < n_open; i++) vector_push(&syn->ports, open_ports[i]);
  if (send != SYN_NONE) syn->events.items[send].partner = id;
  return finish_receive(syn, id, send);
}

syn_id syn_read(struct syn *syn, uint32_t thread, uint32_t variable, syn_id version) {
  const syn_id id = add_on_thread(syn, (struct syn_event){.kind = SYN_READ,
                                                          .thread = (uint16_t)thread,
                                                          .object = variable,
                                                          .partner = version,
                                                          .previous = SYN_NONE,
                                                          .previous_sent = SYN_NONE});
  return finish_receive(syn, id, version);
}

syn_id syn_choose(struct syn *syn, uint32_t thread, uint32_t way, uint32_t n_ways) {
  const syn_id id = add_on_thread(syn, (struct syn_event){.kind = SYN_CHOICE,
                                                          .thread = (uint16_t)thread,
                                                          .partner = way,
                                                          .previous = SYN_NONE,
                                                          .previous_sent = SYN_NONE,
                                                          .n_ways = (uint16_t)n_ways});
  return finish_receive(syn, id, SYN_NONE);
}

void syn_learn_from_object(struct syn *syn, uint32_t thread, uint32_t object) {
  merge(syn, thread_clock(syn, thread), object_clock(syn, object));
}

void syn_learn_from_thread(struct syn *syn, uint32_t thread, uint32_t other) {
  merge(syn, thread_clock(syn, thread), thread_clock(syn, other));
}

void syn_learn_from_event(struct syn *syn, uint32_t thread, syn_id event) {
  merge(syn, thread_clock(syn, thread), timestamp(syn, event));
}

/* ---- happened-before ---- */

bool syn_happens_before(const struct syn *syn, syn_id earlier, syn_id later) {
  const struct syn_event *a = &syn->events.items[earlier], *b = &syn->events.items[later];
  const uint32_t *at = timestamp(syn, earlier), *bt = timestamp(syn, later);
  if (earlier == later || a->thread == NO_SYN_THREAD) return false;
  if (a->partner == later && a->kind == SYN_SEND) return true;
  if (b->thread == NO_SYN_THREAD) return control(syn, later)[a->thread] >= a->number;
  return at[a->thread] <= bt[a->thread] && at[b->thread] < bt[b->thread];
}

/* A completion has the number of its call; nobody knows of the call alone, as its thread waits. */
bool syn_controls(const struct syn *syn, syn_id receive, syn_id event) {
  const struct syn_event *r = &syn->events.items[receive];
  return r->thread != NO_SYN_THREAD && receive != event && control(syn, event)[r->thread] >= r->number;
}

bool syn_controls_partner(const struct syn *syn, syn_id receive, syn_id of, uint32_t partner) {
  const struct syn_event *r = &syn->events.items[of];
  if (r->kind == SYN_CHOICE || partner >= SYN_INITIAL) return false;
  if (receive == partner || syn_controls(syn, receive, partner)) return true;
  return r->kind == SYN_READ && syn_controls(syn, receive, syn->events.items[partner].partner);
}

/* ---- race sets ---- */

static bool is_open(const struct syn *syn, const struct syn_event *send, const struct syn_event *receive) {
  if (receive->kind == SYN_COMPLETE) return receive->open >> send->operation & 1;
  for (uint32_t i = 0; i < receive->n_open; i++)
    if (syn->ports.items[receive->open_at + i] == send->object) return true;
  return false;
}

/* On one thread or object the order of receiving events is that of the sequence. */
static bool comes_before(const struct syn *syn, syn_id a, syn_id b) {
  const struct syn_event *x = &syn->events.items[a], *y = &syn->events.items[b];
  const bool same_place = x->kind == SYN_COMPLETE ? y->kind == SYN_COMPLETE && x->object == y->object
                                                  : y->kind != SYN_COMPLETE && x->thread == y->thread;
  return same_place ? a < b : syn_happens_before(syn, a, b);
}

/* Proposition 2. */
bool syn_races(const struct syn *syn, syn_id receive, syn_id send) {
  const struct syn_event *r = &syn->events.items[receive], *s = &syn->events.items[send];
  if (r->partner == send) return false;
  if (!is_open(syn, s, r)) return false;
  if (syn_controls(syn, receive, send)) return false;
  if (s->partner != SYN_NONE && !comes_before(syn, receive, s->partner)) return false;
  if (s->previous == SYN_NONE) return true;
  const syn_id before = syn->events.items[s->previous].partner;
  return before != SYN_NONE && comes_before(syn, before, receive);
}

static void add_send(const struct syn *syn, syn_id receive, syn_id send, syn_partners *set) {
  if (!(syn->events.items[receive].is_old && syn->events.items[send].is_old) && syn_races(syn, receive, send))
    vector_push(set, send);
}

static void add_sends_to(const struct syn *syn, syn_id receive, uint32_t destination, syn_partners *set) {
  for (syn_id send = syn->last_sent.items[destination]; send != SYN_NONE; send = syn->events.items[send].previous_sent)
    add_send(syn, receive, send, set);
}

/* The first call of a thread to an object that is completed after `complete`, or is not; `last` is its last one. */
static syn_id first_call_after(const struct syn *syn, syn_id complete, syn_id last) {
  const struct syn_event *events = syn->events.items;
  if (last == SYN_NONE || events[last].partner <= complete) return SYN_NONE;
  for (syn_id call = last;;) {
    const syn_id previous = events[call].previous, jump = events[call].jump;
    if (previous == SYN_NONE || events[previous].partner <= complete) return call;
    call = events[jump].partner > complete ? jump : previous;
  }
}

static int compare_descending(const void *a, const void *b) {
  const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? 1 : x > y ? -1 : 0;
}

/* Calls of one thread are completed one after the other: of each thread only one can race. Where there are fewer calls
 * than threads, the calls are looked at. */
static void add_calls_to(const struct syn *syn, syn_id complete, uint32_t object, syn_partners *set) {
  const size_t first = set->count;
  if (syn->overtakes || syn->object_lengths.items[object] <= syn->n_threads) {
    add_sends_to(syn, complete, object, set);
    return;
  }
  for (uint32_t thread = 0; thread < syn->n_threads; thread++) {
    const syn_id last = syn->last_sent_by.items[(size_t)object * syn->n_threads + thread];
    const syn_id call = first_call_after(syn, complete, last);
    if (call != SYN_NONE) add_send(syn, complete, call, set);
  }
  if (set->count > first + 1) qsort(&set->items[first], set->count - first, sizeof *set->items, compare_descending);
}

/* The last version that the read does not come before. */
static syn_id last_version_for(const struct syn *syn, const struct syn_event *read) {
  const struct syn_event *events = syn->events.items;
  syn_id version = syn->last_on.items[read->object];
  while (version != SYN_NONE && timestamp(syn, version)[read->thread] >= read->number) {
    const syn_id jump = events[version].jump;
    const bool is_far = jump != version && timestamp(syn, jump)[read->thread] >= read->number;
    version = is_far ? jump : events[version].previous;
  }
  return version;
}

/* A read could have received from any write that it does not control, up to the one before which there is no other
 * that it must come after. The initial version counts as old. */
static void add_versions(const struct syn *syn, syn_id read, syn_partners *set) {
  const struct syn_event *r = &syn->events.items[read];
  syn_id version = last_version_for(syn, r);
  for (; version != SYN_NONE; version = syn->events.items[version].previous) {
    const struct syn_event *write = &syn->events.items[version];
    if (write->thread == NO_SYN_THREAD) continue;
    if (version != r->partner && !(r->is_old && write->is_old_version)) vector_push(set, version);
    if (syn_controls(syn, version, read)) return;
  }
  if (r->partner != SYN_INITIAL && !r->is_old) vector_push(set, SYN_INITIAL);
}

static void add_ways(const struct syn_event *choice, syn_partners *set) {
  for (uint32_t way = 0; !choice->is_old && way < choice->n_ways; way++)
    if (way != choice->partner) vector_push(set, way);
}

void syn_add_race_set(const struct syn *syn, syn_id receive, syn_partners *set) {
  const struct syn_event *r = &syn->events.items[receive];
  BUG_ON(r->kind == SYN_SEND);
  if (r->partner == SYN_NONE) return;
  switch (r->kind) {
  case SYN_COMPLETE: add_calls_to(syn, receive, r->object, set); break;
  case SYN_RECEIVE:
    for (uint32_t i = 0; i < r->n_open; i++) add_sends_to(syn, receive, syn->ports.items[r->open_at + i], set);
    break;
  case SYN_READ: add_versions(syn, receive, set); break;
  default: add_ways(r, set); break;
  }
}
