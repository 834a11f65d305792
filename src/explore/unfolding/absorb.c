/* SPDX-License-Identifier: MIT */
#include "explore/unfolding/absorb.h"

#include "base/number_set.h"
#include "explore/unfolding/memo.h"
#include "explore/unfolding/operation.h"
#include "model/object.h"
#include "trace/tables.h"

#include <stdlib.h>
#include <string.h>

#define MOST_ACCESSES 256

/* One operation of the run. */
struct item {
  const struct event *event;       /* NULL: a decision, or the start of a thread */
  const struct decision *decision; /* NULL: it is none */
  thread_id thread;
  operation_id operation;
  uint32_t next; /* the next item of the thread, 0 none */
};

/* An event that was read lately, as far as its operation depends on it. All bytes are compared. */
struct event_look {
  uint64_t object, value;
  site_id site;
  uint32_t size;
  operation_id before; /* of the thread */
  thread_id thread;
  uint8_t kind, flags;
};
_Static_assert(sizeof(struct event_look) == 32, "there is nothing between the members");

struct known_event {
  struct event_look look;
  operation_id operation; /* 0: nothing is known */
};

#define KNOWN_EVENTS 256 /* a power of two */

/* Who decided a term of the run last. */
struct decider {
  uint32_t run;
  thread_id thread;
};

struct absorber {
  struct net *net;
  struct layout *layout;
  struct extensions *extensions;
  struct inputs *inputs; /* NULL: there are none */
  struct input_notes *notes;
  open_addresses addresses;
  struct number_set opened;        /* events after which an address is decided */
  VECTOR(struct decider) deciders; /* by term of the trace */
  uint32_t run;                    /* which one, for the deciders */
  VECTOR(struct values *) values;  /* of the runs that had inputs, from 1 */
  VECTOR(uint32_t) shown_by;       /* by event, as far as it goes: the first of these runs that showed it */
  VECTOR(struct item) items;       /* from 1 */
  struct known_event known[KNOWN_EVENTS];
  uint32_t first_item[HEDDLE_MAX_THREADS];
  uint32_t last_item[HEDDLE_MAX_THREADS];
  operation_id pending[HEDDLE_MAX_THREADS]; /* what a thread stood before when the run ended */
  operation_id before[HEDDLE_MAX_THREADS];  /* the last operation of each thread that was read */
  event_id at[HEDDLE_MAX_THREADS];          /* the last event of each thread */
  thread_id highest_thread;
  const struct trace_view *trace; /* that is being absorbed */
  const struct path *path;        /* its path; NULL: it has no inputs */
  const event_ids *expected;
  VECTOR(uint32_t) expected_after;          /* by place in `expected`: 1 + that of the next one of the thread */
  uint32_t expected_at[HEDDLE_MAX_THREADS]; /* by thread, likewise */
  VECTOR(object_id) touched;
  reader_list readers;
  struct net_access accesses[MOST_ACCESSES];
  uint32_t states[MOST_ACCESSES];
};

struct absorber *absorber_create(struct net *net, struct layout *layout, struct extensions *extensions,
                                 struct inputs *inputs, struct input_notes *notes) {
  struct absorber *self = memory_allocate(sizeof *self);
  self->net = net;
  self->layout = layout;
  self->extensions = extensions;
  self->inputs = inputs;
  self->notes = notes;
  vector_push(&self->values, NULL);
  return self;
}

void absorber_destroy(struct absorber *self) {
  for (size_t i = 0; i < self->values.count; i++) values_release(self->values.items[i]);
  vector_free(&self->values);
  vector_free(&self->shown_by);
  vector_free(&self->addresses);
  vector_free(&self->deciders);
  number_set_free(&self->opened);
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
    self->first_item[self->highest_thread] = self->last_item[self->highest_thread] = 0;
    self->pending[self->highest_thread] = self->at[self->highest_thread] = 0;
    self->before[self->highest_thread] = 0;
    self->expected_at[self->highest_thread] = 0;
  }
}

static void add_item(struct absorber *self, struct item item) {
  const uint32_t place = (uint32_t)self->items.count;
  self->items.items[self->last_item[item.thread]].next = place;
  if (!self->first_item[item.thread]) self->first_item[item.thread] = place;
  self->last_item[item.thread] = place;
  vector_push(&self->items, item);
}

/* Runs show the same events again and again. What a memory access found or left does not change its operation. */
static operation_id operation_of(struct absorber *self, const struct event *event, bool *is_wrong) {
  const struct event_look look = {.object = event->object,
                                  .value = event_class_of(event) == CLASS_MEMORY ? 0 : event->value,
                                  .site = event->site,
                                  .size = event->size,
                                  .before = self->before[event->thread],
                                  .thread = event->thread,
                                  .kind = event->kind,
                                  .flags = event->flags};
  const uint64_t mixed =
      (look.object ^ (uint64_t)look.site << 20 ^ look.before << 8 ^ look.thread) * 0x9e3779b97f4a7c15;
  struct known_event *known = &self->known[mixed >> 40 & (KNOWN_EVENTS - 1)];
  if (known->operation && memcmp(&known->look, &look, sizeof look) == 0) return known->operation;
  const operation_id operation = operation_of_event(self->net, self->layout, event, look.before, is_wrong);
  if (operation) *known = (struct known_event){look, operation};
  return operation;
}

static void add_event(struct absorber *self, const struct event *event, bool *is_wrong) {
  note_thread(self, event->thread);
  const operation_id operation = operation_of(self, event, is_wrong);
  if (!operation) {
    memo_take_hidden(self->net, event);
    return;
  }
  self->before[event->thread] = operation;
  add_item(self, (struct item){.event = event, .thread = event->thread, .operation = operation});
}

/* Has the thread decided this before? Whether the run says so again depends on the other threads. */
static bool is_repeated(struct absorber *self, const struct decision *decision, const struct trace_view *trace) {
  while (self->deciders.count <= decision->term) vector_push(&self->deciders, (struct decider){0});
  struct decider *last = &self->deciders.items[decision->term];
  const bool is_first = last->run != self->run;
  const bool is_same = !is_first && last->thread == decision->thread;
  *last = (struct decider){self->run, decision->thread};
  if (is_first || is_same) return is_same;
  for (const struct decision *other = trace->decisions; other < decision; other++)
    if (other->thread == decision->thread && other->term == decision->term) return true;
  return false;
}

static void add_decision(struct absorber *self, const struct trace_view *trace, uint32_t i) {
  const struct decision *decision = &trace->decisions[i];
  if (!path_side(self->path, i) || is_repeated(self, decision, trace)) return;
  note_thread(self, decision->thread);
  const operation_id operation = operation_of_decision(self->net, decision, path_term(self->path, decision->term));
  add_item(self, (struct item){.decision = decision, .thread = decision->thread, .operation = operation});
}

static void read_pendings(struct absorber *self, const struct trace_view *trace, bool *is_wrong) {
  for (uint32_t i = 0; i < trace->record->n_pending; i++) {
    const struct pending *pending = &trace->pendings[i];
    note_thread(self, pending->thread);
    self->pending[pending->thread] =
        operation_of_pending(self->net, self->layout, pending, self->before[pending->thread], is_wrong);
  }
}

/* False: the layout was wrong. */
static bool read_run(struct absorber *self, const struct trace_view *trace) {
  const uint32_t n_decisions = self->path ? trace->record->n_decisions : 0;
  self->trace = trace;
  uint32_t decision = 0;
  bool is_wrong = false;
  self->run++;
  self->items.count = self->highest_thread = 0;
  self->first_item[0] = self->last_item[0] = self->pending[0] = self->at[0] = self->before[0] = 0;
  vector_push(&self->items, (struct item){0});
  for (uint32_t i = 0; i <= trace->record->n_events; i++) {
    for (; decision < n_decisions && trace->decisions[decision].event <= i; decision++)
      add_decision(self, trace, decision);
    if (i < trace->record->n_events) add_event(self, &trace->events[i], &is_wrong);
  }
  read_pendings(self, trace, &is_wrong);
  is_wrong |= !joins_read(&self->layout->joins, trace);
  return !is_wrong;
}

/* ---- finding events ---- */

static void expect(struct absorber *self, const event_ids *expected) {
  self->expected = expected;
  self->expected_at[0] = 0;
  while (self->expected_after.count < expected->count) vector_push(&self->expected_after, 0);
  for (uint32_t i = (uint32_t)expected->count; i-- > 0;) {
    const thread_id thread = self->net->events.items[expected->items[i]].thread;
    note_thread(self, thread);
    self->expected_after.items[i] = self->expected_at[thread];
    self->expected_at[thread] = i + 1;
  }
}

#define LATEST_FOUND 8

/* One of the extensions that were found last: after an event that is new, mostly the next one of the run is. */
static event_id find_latest(const struct absorber *self, const struct event_key *key) {
  const event_ids *found = extensions_found(self->extensions);
  for (size_t i = found->count; i > 0 && i + LATEST_FOUND > found->count; i--)
    if (net_is(self->net, found->items[i - 1], key)) return found->items[i - 1];
  return 0;
}

/* Usually it is the one that the run was made to show. */
static event_id find(struct absorber *self, const struct event_key *key) {
  const uint32_t place = self->expected_at[key->thread];
  if (place && net_is(self->net, self->expected->items[place - 1], key)) {
    self->expected_at[key->thread] = self->expected_after.items[place - 1];
    return self->expected->items[place - 1];
  }
  self->expected_at[key->thread] = 0;
  const event_id latest = find_latest(self, key);
  return latest ? latest : net_find(self->net, key);
}

/* The object will change, or be looked at. */
static struct object *touch(struct absorber *self, object_id id) {
  struct object *object = &self->net->objects.items[id];
  if (object->current == object->root && object->reads.count == 0) vector_push(&self->touched, id);
  return object;
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
  const size_t record = readers_begin(&self->readers, (uint32_t)object->reads.count);
  for (size_t i = 0; i < object->reads.count; i++)
    if (self->net->events.items[object->reads.items[i]].thread != own)
      readers_add(&self->readers, record, self->net, object->reads.items[i]);
}

/* The count of a semaphore before an operation that says what it was after it. */
static void learn_state(struct condition *condition, const struct event *event) {
  if (condition->state != UNKNOWN_STATE || event_class_of(event) != CLASS_SEMAPHORE) return;
  uint64_t tokens;
  if (event_tokens_before(event, &tokens)) condition->state = (uint32_t)tokens;
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
    if (net_lists_looks(net, object->current)) list_readers(self, object, item->event->thread);
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

/* The item is the first join. */
static void note_tail(struct absorber *self, event_id event, const struct item *item) {
  struct net *net = self->net;
  struct tail tail = {.event = event, .joins = (uint32_t)net->tail_operations.count};
  memo_take_tail(net, event, item->operation);
  for (; kind_effect(net->operations.items[item->operation].kind) == EFFECT_JOINS;
       item = &self->items.items[item->next]) {
    vector_push(&net->tail_operations, item->operation);
    if (item->next) memo_take_tail(net, event, self->items.items[item->next].operation);
  }
  tail.n_joins = (uint32_t)net->tail_operations.count - tail.joins;
  tail.exits = kind_effect(net->operations.items[item->operation].kind) == EFFECT_EXITS;
  vector_push(&net->tails, tail);
}

static void learn_next(struct absorber *self, event_id id, const struct item *item, bool is_new) {
  struct net *net = self->net;
  struct net_event *event = &net->events.items[id];
  const struct item *next = item->next ? &self->items.items[item->next] : NULL;
  const bool was_known = event->next;
  if (!was_known) event->next = next ? next->operation : self->pending[event->thread];
  /* Decided once: where a run was stuck in a join, what follows is an extension that must be met. */
  if (!was_known && next && next->event && event_effect_of(next->event) == EFFECT_JOINS &&
      joins_are_barren(&self->layout->joins, self->trace, next->event)) {
    note_tail(self, id, next);
    event->flags |= NET_BARREN;
  }
  if (is_new || (!was_known && event->next)) vector_push(&net->fresh, id);
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
    if (access->mode == ACCESS_PAST) continue;
    struct object *object = touch(self, net->conditions.items[access->condition].object);
    if (access->mode == ACCESS_LOOK) {
      if (net_lists_looks(net, access->condition)) vector_push(&object->reads, id);
      continue;
    }
    object->current = output++;
    object->reads.count = 0;
  }
}

static void remember_values(struct absorber *self, event_id id) {
  while (self->shown_by.count <= id) vector_push(&self->shown_by, 0);
  self->shown_by.items[id] = (uint32_t)self->values.count - 1;
}

const struct values *absorber_values(const struct absorber *self, event_id event) {
  return event < self->shown_by.count ? self->values.items[self->shown_by.items[event]] : NULL;
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
    if (self->values.count > 1) remember_values(self, id);
    if (item->event && item->event->alternatives > 1) add_alternatives(self, key, item);
  }
  learn_next(self, id, item, is_new);
  move_on(self, id);
  return id;
}

static void start_thread(struct absorber *self, thread_id thread, event_id creator) {
  struct event_key key = {.previous = creator, .choice = thread, .thread = thread, .starts = true};
  const struct item start = {
      .thread = thread, .operation = operation_of_start(self->net, thread), .next = self->first_item[thread]};
  come_to(self, &key, &start);
}

/* ---- decisions ---- */

open_addresses *absorber_addresses(struct absorber *self) {
  return &self->addresses;
}

/* Could what was made concrete have been something else? */
static void look_at_pin(struct absorber *self, const struct decision *decision) {
  const struct path *path = self->path;
  for (size_t i = 0; i < path->count; i++)
    if (path->decisions[i].record == decision) notes_look_at_decision(self->notes, self->inputs, path, i);
}

/* The sides that the run did not take. */
static void add_sides(struct absorber *self, const struct event_key *key, const struct item *item) {
  const struct path_decision taken = {item->decision, path_term(self->path, item->decision->term), key->choice};
  struct open_address open = {.event = key->previous, .operation = item->operation};
  if (decision_is_pin(item->decision)) look_at_pin(self, item->decision);
  if (!sides_open(&open.sides, self->inputs, &taken)) return;
  if (item->decision->kind == DECISION_ADDRESS) {
    if (number_set_add(&self->opened, key->previous)) vector_push(&self->addresses, open);
    return;
  }
  struct event_key other = *key;
  other.choice = open.sides.other;
  if (!net_find(self->net, &other))
    vector_push(extensions_found(self->extensions), net_add(self->net, &other, item->operation));
}

static void absorb_decision(struct absorber *self, const struct item *item, term_id side) {
  struct event_key key = {.previous = self->at[item->thread], .choice = side, .thread = item->thread};
  const event_id known = net_find(self->net, &key);
  const bool is_new = !known || !event_is_executed(self->net, known);
  come_to(self, &key, item);
  if (is_new) add_sides(self, &key, item);
}

/* Do the objects stand as the event, which was executed, left or changed them? What it has listed as looks is not
 * compared here: then the answer is no. */
static bool meets_same(const struct net *net, const struct net_event *event) {
  const struct net_access *access = &net->accesses.items[event->first_access];
  for (uint8_t i = 0; i < event->n_accesses; i++) {
    const struct object *object = &net->objects.items[net->conditions.items[access[i].condition].object];
    if (access[i].mode == ACCESS_PAST || object->current != access[i].condition) return false;
    if (access_lists_looks(net, &access[i]) && (event->readers || object->reads.count > 0)) return false;
  }
  return true;
}

/* The run was made to show the event, as others have before: nothing can be learned from it. 0: that is not so, or not
 * plain to see. */
static event_id find_expected(const struct absorber *self, const struct item *item) {
  const struct net *net = self->net;
  const uint32_t place = self->expected_at[item->thread];
  if (!place || net->cancels || net->operations.items[item->operation].flags) return 0;
  const event_id id = self->expected->items[place - 1];
  const struct net_event *event = &net->events.items[id];
  const bool is_it = event->flags & NET_EXECUTED && event->next && event->operation == item->operation &&
                     event->previous == self->at[item->thread] && event->choice == item->event->alternative;
  return is_it && meets_same(net, event) ? id : 0;
}

static event_id find_or_add(struct absorber *self, const struct item *item) {
  struct event_key key = {
      .previous = self->at[item->thread], .choice = item->event->alternative, .thread = item->thread};
  key.n_accesses = list_accesses(self, item);
  key.accesses = self->accesses;
  key.readers = self->readers.items;
  key.n_readers = (uint32_t)self->readers.count;
  return come_to(self, &key, item);
}

static void absorb_event(struct absorber *self, const struct item *item) {
  struct net *net = self->net;
  event_id id = find_expected(self, item);
  if (id) {
    self->expected_at[item->thread] = self->expected_after.items[self->expected_at[item->thread] - 1];
    move_on(self, id);
  } else {
    id = find_or_add(self, item);
  }
  if (kind_effect(net->operations.items[item->operation].kind) == EFFECT_CREATES &&
      item->event->object < HEDDLE_MAX_THREADS) {
    note_thread(self, (thread_id)item->event->object);
    start_thread(self, (thread_id)item->event->object, id);
  }
}

/* Only main's joins are ever barren: joins.h. */
static bool is_over(const struct absorber *self, thread_id thread) {
  const event_id at = self->at[thread];
  return !at || (thread == 0 && net_is_barren(self->net, at));
}

static void absorb_item(struct absorber *self, const struct item *item, const struct trace_view *trace) {
  if (is_over(self, item->thread)) return;
  if (item->decision)
    absorb_decision(self, item, path_side(self->path, (uint32_t)(item->decision - trace->decisions)));
  else
    absorb_event(self, item);
  if (item->event && self->net->memo)
    memo_take_event(self->net, self->at[item->thread], item->event, trace, self->path);
}

/* Did the run end because of what a thread did, while others could still have moved? */
static void note_end(struct absorber *self, const struct trace_view *trace) {
  const uint32_t outcome = trace->record->outcome;
  if (outcome_is_at_rest(outcome)) return;
  if (outcome_row(outcome)->class == OUTCOME_BOUND) return;
  if (trace->record->thread > self->highest_thread || !self->at[trace->record->thread]) return;
  self->net->events.items[self->at[trace->record->thread]].flags |= NET_ENDS_RUN;
  self->net->n_ends++;
}

bool absorb_run(struct absorber *self, const struct trace_view *trace, const struct path *path,
                const event_ids *expected) {
  self->path = path;
  if (!read_run(self, trace)) return false;
  expect(self, expected);
  if (path) {
    self->net->has_inputs = true;
    vector_push(&self->values, values_hold(path->values));
  }
  start_thread(self, 0, 0);
  for (uint32_t i = 1; i < self->items.count && !deadline_is_over(self->net->deadline); i++) {
    absorb_item(self, &self->items.items[i], trace);
  }
  note_end(self, trace);
  forget_run(self);
  return true;
}
