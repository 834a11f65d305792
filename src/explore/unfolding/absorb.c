/* SPDX-License-Identifier: MIT */
#include "explore/unfolding/absorb.h"

#include "base/error.h"
#include "explore/unfolding/operation.h"
#include "trace/tables.h"

#include <stdlib.h>
#include <string.h>

#define MOST_ACCESSES 256

/* One operation of the run. */
struct item {
  const struct event *event;
  operation_id operation;
  uint32_t next; /* the next item of the thread, 0 none */
};

struct absorber {
  struct net *net;
  struct layout *layout;
  struct extensions *extensions;
  VECTOR(struct item) items; /* from 1 */
  uint32_t last_item[HEDDLE_MAX_THREADS];
  operation_id pending[HEDDLE_MAX_THREADS]; /* what a thread stood before when the run ended */
  event_id at[HEDDLE_MAX_THREADS];          /* the last event of each thread */
  thread_id highest_thread;
  const event_ids *expected;
  VECTOR(uint32_t) expected_after;          /* by place in `expected`: 1 + that of the next one of the thread */
  uint32_t expected_at[HEDDLE_MAX_THREADS]; /* by thread, likewise */
  VECTOR(object_id) touched;
  VECTOR(uint32_t) readers;
  struct net_access accesses[MOST_ACCESSES];
  uint32_t states[MOST_ACCESSES];
};

struct absorber *absorber_create(struct net *net, struct layout *layout, struct extensions *extensions) {
  struct absorber *self = memory_allocate(sizeof *self);
  self->net = net;
  self->layout = layout;
  self->extensions = extensions;
  return self;
}

void absorber_destroy(struct absorber *self) {
  vector_free(&self->items);
  vector_free(&self->touched);
  vector_free(&self->expected_after);
  vector_free(&self->readers);
  free(self);
}

/* ---- reading the run ---- */

static void note_thread(struct absorber *self, thread_id thread) {
  while (self->highest_thread < thread) {
    self->highest_thread++;
    self->last_item[self->highest_thread] = 0;
    self->pending[self->highest_thread] = self->at[self->highest_thread] = 0;
    self->expected_at[self->highest_thread] = 0;
  }
}

static operation_id operation_before(const struct absorber *self, thread_id thread) {
  return self->items.items[self->last_item[thread]].operation;
}

static void add_item(struct absorber *self, const struct event *event, bool *is_wrong) {
  const thread_id thread = event->thread;
  note_thread(self, thread);
  const operation_id operation =
      operation_of_event(self->net, self->layout, event, operation_before(self, thread), is_wrong);
  if (!operation) return;
  const uint32_t item = (uint32_t)self->items.count;
  self->items.items[self->last_item[thread]].next = item;
  self->last_item[thread] = item;
  vector_push(&self->items, ((struct item){event, operation, 0}));
}

/* False: the layout was wrong. */
static bool read_run(struct absorber *self, const struct trace_view *trace) {
  bool is_wrong = false;
  self->items.count = self->highest_thread = 0;
  self->last_item[0] = self->pending[0] = self->at[0] = 0;
  vector_push(&self->items, (struct item){0});
  for (uint32_t i = 0; i < trace->record->n_events; i++) add_item(self, &trace->events[i], &is_wrong);
  for (uint32_t i = 0; i < trace->record->n_pending; i++) {
    const struct pending *pending = &trace->pendings[i];
    note_thread(self, pending->thread);
    self->pending[pending->thread] =
        operation_of_pending(self->net, self->layout, pending, operation_before(self, pending->thread), &is_wrong);
  }
  return !is_wrong;
}

/* ---- finding events ---- */

static void expect(struct absorber *self, const event_ids *expected) {
  self->expected = expected;
  self->expected_at[0] = 0;
  self->expected_after.count = 0;
  for (size_t i = 0; i < expected->count; i++) vector_push(&self->expected_after, 0);
  for (uint32_t i = (uint32_t)expected->count; i-- > 0;) {
    const thread_id thread = self->net->events.items[expected->items[i]].thread;
    note_thread(self, thread);
    self->expected_after.items[i] = self->expected_at[thread];
    self->expected_at[thread] = i + 1;
  }
}

/* Mostly it is the one that the run was made to show. */
static event_id find(struct absorber *self, const struct event_key *key) {
  const uint32_t place = self->expected_at[key->thread];
  if (place && net_is(self->net, self->expected->items[place - 1], key)) {
    self->expected_at[key->thread] = self->expected_after.items[place - 1];
    return self->expected->items[place - 1];
  }
  self->expected_at[key->thread] = 0;
  return net_find(self->net, key);
}

static void touch(struct absorber *self, object_id object) {
  vector_push(&self->touched, object);
}

static void forget_run(struct absorber *self) {
  for (size_t i = 0; i < self->touched.count; i++) {
    struct object *object = &self->net->objects.items[self->touched.items[i]];
    object->current = object->root;
    object->reads.count = 0;
  }
  self->touched.count = 0;
}

/* The last look of each other thread, by thread. */
static void list_readers(struct absorber *self, const struct object *object, thread_id own) {
  const size_t start = self->readers.count;
  vector_push(&self->readers, (uint32_t)object->reads.count);
  vector_push(&self->readers, 0);
  for (size_t i = 0; i < object->reads.count; i++) {
    const event_id read = object->reads.items[i];
    const thread_id thread = self->net->events.items[read].thread;
    size_t place = start + 2;
    if (thread == own) continue;
    while (place < self->readers.count && self->net->events.items[self->readers.items[place]].thread < thread) place++;
    if (place < self->readers.count && self->net->events.items[self->readers.items[place]].thread == thread) {
      self->readers.items[place] = read;
      continue;
    }
    vector_push(&self->readers, 0);
    for (size_t k = self->readers.count - 1; k > place; k--) self->readers.items[k] = self->readers.items[k - 1];
    self->readers.items[place] = read;
    self->readers.items[start + 1]++;
  }
}

/* The count of a semaphore before an operation that says what it was after it. */
static void learn_state(struct condition *condition, const struct event *event) {
  if (condition->state != UNKNOWN_STATE || event_class_of(event) != CLASS_SEMAPHORE) return;
  if (event_takes_token(event)) condition->state = (uint32_t)event->value + 1;
  if (event->kind == EVENT_SEMAPHORE_POST) condition->state = (uint32_t)event->value - 1;
  if (event->kind == EVENT_SEMAPHORE_TRYWAIT_FAILED || event->kind == EVENT_SEMAPHORE_TIMED_OUT) condition->state = 0;
  if (event->kind == EVENT_SEMAPHORE_GETVALUE) condition->state = (uint32_t)event->value;
}

/* How the operation meets the objects as they are now. Returns how many accesses it makes. */
static uint8_t list_accesses(struct absorber *self, const struct item *item) {
  struct net *net = self->net;
  const uint8_t n_accesses = net->operations.items[item->operation].n_accesses;
  uint8_t n = 0, n_changes = 0;
  bool gives_up = false;
  self->readers.count = 0;
  for (uint8_t i = 0; i < n_accesses; i++) {
    const struct object *object = &net->objects.items[operation_object(net, item->operation, i)];
    if (gives_up && object->kind == OBJECT_MUTEX) continue;
    struct condition *condition = &net->conditions.items[object->current];
    learn_state(condition, item->event);
    const struct possibility done = operation_done(net, item->operation, i, item->event, condition->state);
    gives_up |= done.gives_up;
    self->accesses[n] = (struct net_access){.condition = object->current, .mode = done.mode};
    if (done.mode == ACCESS_PAST)
      self->accesses[n].condition = operation_past(net, item->operation, i, item->event->thread, object->current);
    n++;
    if (done.mode != ACCESS_CHANGE) continue;
    self->states[n_changes++] = operation_state_after(net, item->operation, i, item->event, condition->state);
    if (!net->is_contextual) list_readers(self, object, item->event->thread);
  }
  return n;
}

static void set_modes(struct absorber *self, event_id id) {
  const struct net_event *event = &self->net->events.items[id];
  for (uint8_t i = 0; i < event->n_accesses; i++)
    self->net->accesses.items[event->first_access + i].mode = self->accesses[i].mode;
}

/* Other ways in which it could have gone. */
static void add_alternatives(struct absorber *self, struct event_key *key, const struct item *item) {
  const uint32_t taken = key->choice;
  for (key->choice = 0; key->choice < item->event->alternatives; key->choice++)
    if (key->choice != taken && !net_find(self->net, key))
      vector_push(extensions_found(self->extensions), net_add(self->net, key, item->operation));
}

/* ---- what comes next ---- */

/* Does the thread, from this operation on, only join others and end? */
static bool only_joins(const struct absorber *self, const struct item *item) {
  const struct net *net = self->net;
  for (;; item = &self->items.items[item->next]) {
    const uint8_t kind = net->operations.items[item->operation].kind;
    if (kind == EVENT_THREAD_END || kind == EVENT_PROCESS_EXIT) return true;
    if (kind != EVENT_THREAD_JOIN || !item->next) return false;
  }
}

static void learn_next(struct absorber *self, event_id id, const struct item *item, bool is_new) {
  struct net *net = self->net;
  struct net_event *event = &net->events.items[id];
  const struct item *next = item->next ? &self->items.items[item->next] : NULL;
  const bool was_known = event->next;
  if (!was_known) event->next = next ? next->operation : self->pending[event->thread];
  if (next && net->operations.items[next->operation].kind == EVENT_THREAD_JOIN && only_joins(self, next))
    event->flags |= NET_BARREN;
  if (is_new)
    extensions_of_event(self->extensions, id);
  else if (!was_known && event->next)
    extensions_of_thread(self->extensions, id);
}

static void move_on(struct absorber *self, event_id id) {
  struct net *net = self->net;
  const struct net_event *event = &net->events.items[id];
  condition_id output = event->first_output;
  self->at[event->thread] = id;
  for (uint8_t i = 0; i < event->n_accesses; i++) {
    const struct net_access *access = &net->accesses.items[event->first_access + i];
    struct object *object = &net->objects.items[net->conditions.items[access->condition].object];
    touch(self, net->conditions.items[access->condition].object);
    if (access->mode == ACCESS_LOOK) vector_push(&object->reads, id);
    if (access->mode != ACCESS_CHANGE) continue;
    object->current = output++;
    object->reads.count = 0;
  }
}

/* Finds or adds an event. */
static event_id come_to(struct absorber *self, struct event_key *key, const struct item *item) {
  struct net *net = self->net;
  event_id id = find(self, key);
  if (!id) id = net_add(net, key, item->operation);
  const bool is_new = !event_is_executed(net, id);
  if (is_new) {
    set_modes(self, id);
    net_execute(net, id, self->states);
    if (item->event && item->event->alternatives > 1) add_alternatives(self, key, item);
  }
  learn_next(self, id, item, is_new);
  move_on(self, id);
  return id;
}

static void start_thread(struct absorber *self, thread_id thread, event_id creator) {
  struct event_key key = {.previous = creator, .choice = thread, .thread = thread, .starts = true};
  struct item start = {.operation = operation_of_start(self->net, thread)};
  for (uint32_t i = 1; i < self->items.count && !start.next; i++)
    if (self->items.items[i].event->thread == thread) start.next = i;
  come_to(self, &key, &start);
}

static void absorb_item(struct absorber *self, const struct item *item) {
  struct net *net = self->net;
  const thread_id thread = item->event->thread;
  if (!self->at[thread] || net->events.items[self->at[thread]].flags & NET_BARREN) return;
  struct event_key key = {.previous = self->at[thread], .choice = item->event->alternative, .thread = thread};
  key.n_accesses = list_accesses(self, item);
  key.accesses = self->accesses;
  key.readers = self->readers.items;
  key.n_readers = (uint32_t)self->readers.count;
  const event_id id = come_to(self, &key, item);
  if (net->operations.items[item->operation].kind == EVENT_THREAD_CREATE && item->event->object < HEDDLE_MAX_THREADS) {
    note_thread(self, (thread_id)item->event->object);
    start_thread(self, (thread_id)item->event->object, id);
  }
}

/* Did the run end because of what a thread did, while others could still have moved? */
static void note_end(struct absorber *self, const struct trace_view *trace) {
  const uint32_t outcome = trace->record->outcome;
  if (outcome == OUTCOME_FINISHED || outcome == OUTCOME_DEADLOCK || outcome == OUTCOME_LIVELOCK) return;
  if (outcome_row(outcome)->class == OUTCOME_BOUND) return;
  if (trace->record->thread > self->highest_thread || !self->at[trace->record->thread]) return;
  self->net->events.items[self->at[trace->record->thread]].flags |= NET_ENDS_RUN;
  self->net->n_ends++;
}

bool absorb_run(struct absorber *self, const struct trace_view *trace, const event_ids *expected) {
  if (!read_run(self, trace)) return false;
  expect(self, expected);
  start_thread(self, 0, 0);
  for (uint32_t i = 1; i < self->items.count; i++) {
    const struct item item = self->items.items[i];
    absorb_item(self, &item);
  }
  note_end(self, trace);
  forget_run(self);
  return true;
}
