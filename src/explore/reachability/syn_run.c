/* SPDX-License-Identifier: MIT */
#include "explore/reachability/syn_builder.h"

#include "base/error.h"
#include "base/number_set.h"
#include "model/waiters.h"
#include "trace/tables.h"

#include <stdlib.h>
#include <string.h>

static struct builder scratch; /* keeps its memory from run to run */

/* ---- objects ---- */

static uint32_t object_of_group(struct syn_run *run, uint32_t group) {
  for (size_t i = run->groups.count; i-- > 0;)
    if (run->groups.items[i] == group) return (uint32_t)i;
  vector_push(&run->groups, group);
  return (uint32_t)run->groups.count - 1;
}

static uint32_t group_of(const struct syn_objects *objects, uint32_t kind, uint64_t object, uint64_t size) {
  if (objects->is_one) return 0;
  const uint32_t group = syn_objects_find(objects, syn_place_of(kind, object, size));
  BUG_ON(group == SYN_NO_GROUP);
  return group;
}

static uint32_t object_of(struct builder *b, uint32_t kind, uint64_t object, uint64_t size) {
  return object_of_group(b->run, group_of(b->objects, kind, object, size));
}

static bool is_plain_read(uint32_t kind) {
  return kind_effect((uint8_t)kind) == EFFECT_READS;
}

static bool has_object(const struct event *event) {
  return event_is_step(event) && event_dependence_of(event) != DEPENDENCE_INDEPENDENT;
}

static bool pending_has_object(const struct pending *pending) {
  const struct event event = {.kind = pending->kind, .flags = EVENT_VISIBLE};
  return pending->kind && event_row(pending->kind)->visible && event_dependence_of(&event) != DEPENDENCE_INDEPENDENT;
}

/* Numbers all objects of the run, so that their clocks have a place. */
static void list_objects(struct builder *b) {
  struct syn_alone alone = {0};
  b->run->groups.count = b->object_at.count = 0;
  if (b->objects->is_one) {
    object_of_group(b->run, 0);
    return;
  }
  for (uint32_t i = 0; i < b->trace->record->n_events; i++) {
    const struct event *event = &b->trace->events[i];
    const bool has_one = (has_object(event) && event->object) || event_effect_of(event) == EFFECT_LISTS;
    syn_alone_pass(&alone, event);
    if (has_one && !syn_event_is_alone(&alone, event))
      vector_push(&b->object_at, object_of(b, event->kind, event->object, event->size));
    else
      vector_push(&b->object_at, UINT32_MAX);
  }
  for (uint32_t i = 0; i < b->trace->record->n_pending; i++) {
    const struct pending *pending = &b->trace->pendings[i];
    if (pending_has_object(pending)) object_of(b, pending->kind, pending->object, pending->size);
  }
}

/* ---- operations ---- */

static struct syn_op *add_op(struct builder *b, thread_id thread, uint8_t kind, bool was_taken) {
  vector_push(&b->run->ops, ((struct syn_op){.thread = thread,
                                             .kind = kind,
                                             .was_taken = was_taken,
                                             .call = SYN_NONE,
                                             .receive = SYN_NONE,
                                             .choice = SYN_NONE,
                                             .arrived = b->arrived.items[thread]}));
  return &b->run->ops.items[b->run->ops.count - 1];
}

static uint32_t past_of(const uint32_t *items, size_t count, uint32_t thread) {
  return thread < count ? items[thread] : 0;
}

static struct syn_slots past_slots(const struct syn_past *past, uint32_t group) {
  for (size_t i = 0; i < past->slots.count; i++)
    if (past->slots.items[i].group == group) return past->slots.items[i];
  return (struct syn_slots){0};
}

/* Events that belong to the operation that was added last, or to none. */
static syn_id note(struct builder *b, syn_id id, bool has_op) {
  struct syn_event *event = &b->run->syn.events.items[id];
  vector_push(&b->run->op_of, has_op ? (uint32_t)b->run->ops.count - 1 : SYN_NO_OP);
  if (!b->past) return id;
  const struct syn_past *past = b->past;
  if (event->kind == SYN_COMPLETE) {
    const struct syn_slots slots = past_slots(past, b->run->groups.items[event->object]);
    event->is_old = event->index <= slots.count;
    event->is_old_version = event->index <= slots.n_kept;
  } else {
    event->is_old = event->number <= past_of(past->old.items, past->old.count, event->thread);
  }
  if (event->kind != SYN_SEND && event->thread != NO_SYN_THREAD)
    event->is_black = event->number <= past_of(past->black.items, past->black.count, event->thread);
  return id;
}

static void add_choice(struct builder *b, struct syn_op *op, uint32_t way, uint32_t n_ways) {
  op->choice = note(b, syn_choose(&b->run->syn, op->thread, way, n_ways), true);
}

static void learn(struct builder *b, thread_id thread, uint32_t object) {
  syn_learn_from_object(&b->run->syn, thread, object);
  b->arrived.items[thread] = b->n_taken;
}

/* The choice is part of what happened on the object: it is before all that follows there. */
static void tell_object(struct builder *b, thread_id thread, uint32_t object) {
  struct syn *syn = &b->run->syn;
  const uint32_t *known = &syn->thread_clocks.items[(size_t)thread * syn->n_threads];
  uint32_t *clock = &syn->object_clocks.items[(size_t)object * syn->n_threads];
  for (uint32_t i = 0; i < syn->n_threads; i++)
    if (known[i] > clock[i]) clock[i] = known[i];
}

static uint64_t lock_of(const struct event *event) {
  return event_effect_of(event) == EFFECT_RELOCKS ? event->value : event->object;
}

static void complete(struct builder *b, struct syn_op *op, const struct event *event, uint32_t object) {
  struct syn *syn = &b->run->syn;
  const uint32_t operation = syn_open_operation(b, object, event->kind, lock_of(event), event->flags);
  syn_open_before(b, object, event);
  op->is_unsure = operation == SYN_UNKNOWN;
  op->call = note(b, syn_send(syn, op->thread, object, operation), true);
  op->receive = syn_complete(syn, object, op->call, ~b->closed.items[object]);
  note(b, op->receive, true);
  learn(b, op->thread, object);
  if (event->alternatives > 1) {
    add_choice(b, op, event->alternative, event->alternatives);
    tell_object(b, op->thread, object);
  }
  syn_open_after(b, object, event);
}

/* ---- messages ---- */

static void send_message(struct builder *b, struct syn_op *op, const struct event *event, uint32_t object) {
  op->call = note(b, syn_send(&b->run->syn, op->thread, object, SYN_ALWAYS), true);
  vector_push(&b->messages, ((struct message){message_sender(event->value), (uint32_t)event->value, op->call,
                                              event->kind == EVENT_PORT_CALL}));
}

static const struct message *find_message(const struct builder *b, uint64_t number) {
  for (size_t i = 0; i < b->messages.count; i++)
    if (b->messages.items[i].sender == message_sender(number) && b->messages.items[i].index == (uint32_t)number)
      return &b->messages.items[i];
  return NULL;
}

static void list_open_ports(struct builder *b, uint32_t i) {
  const struct event *event = &b->trace->events[i];
  b->ports.count = 0;
  for (i++; i < b->trace->record->n_events && event_effect_of(&b->trace->events[i]) == EFFECT_LISTS; i++)
    if (b->trace->events[i].thread == event->thread)
      vector_push(&b->ports, object_of(b, b->trace->events[i].kind, b->trace->events[i].object, 0));
  if (b->ports.count == 0) vector_push(&b->ports, object_of(b, event->kind, event->object, 0));
}

static void receive_message(struct builder *b, struct syn_op *op, const struct event *event, uint32_t i) {
  const struct message *message = find_message(b, event->value);
  list_open_ports(b, i);
  op->receive = syn_receive(&b->run->syn, op->thread, message ? message->send : SYN_NONE, b->ports.items,
                            (uint32_t)b->ports.count);
  note(b, op->receive, true);
  if (!message || !message->is_synchronous) return;
  syn_learn_from_thread(&b->run->syn, message->sender, op->thread);
  b->arrived.items[message->sender] = b->n_taken;
}

/* ---- waking ---- */

static void wake(struct builder *b, size_t i, thread_id by) {
  const struct waiter waiter = b->waiters.items[i];
  if (!waiter.gives_up) {
    syn_learn_from_thread(&b->run->syn, waiter.thread, by);
    b->arrived.items[waiter.thread] = b->n_taken;
  }
  memmove(&b->waiters.items[i], &b->waiters.items[i + 1], (b->waiters.count - i - 1) * sizeof b->waiters.items[0]);
  b->waiters.count--;
}

static void stop_waiting(struct builder *b, thread_id thread) {
  for (size_t i = b->waiters.count; i-- > 0;)
    if (b->waiters.items[i].thread == thread) wake(b, i, thread);
}

/* Of a condition variable of POSIX: the one with so many of lower number before it. */
static void wake_chosen(struct builder *b, uint64_t condition, uint16_t rank, thread_id by) {
  size_t found = b->waiters.count;
  for (uint32_t thread = 0; thread < b->run->syn.n_threads && found == b->waiters.count; thread++)
    for (size_t i = 0; i < b->waiters.count; i++)
      if (b->waiters.items[i].thread == thread && b->waiters.items[i].condition == condition && rank-- == 0) found = i;
  if (found < b->waiters.count) wake(b, found, by);
}

static void wake_first(struct builder *b, uint64_t condition, bool all, thread_id by) {
  for (size_t i = 0; i < b->waiters.count;) {
    if (b->waiters.items[i].condition != condition) {
      i++;
      continue;
    }
    wake(b, i, by);
    if (!all) return;
  }
}

static void follow_waiters(struct builder *b, const struct event *event) {
  const uint64_t condition = event_condition(event);
  switch (event_effect_of(event)) {
  case EFFECT_WAITS:
    vector_push(&b->waiters, ((struct waiter){condition, event->thread, event->flags & EVENT_GIVES_UP}));
    break;
  case EFFECT_QUITS:
  case EFFECT_RELOCKS:
  case EFFECT_RESUMES: stop_waiting(b, event->thread); break;
  case EFFECT_SIGNALS:
    if (event_class_of(event) == CLASS_MONITOR)
      wake_first(b, condition, false, event->thread);
    else
      wake_chosen(b, condition, event->alternative, event->thread);
    break;
  case EFFECT_HANDS_OVER:
  case EFFECT_SIGNALS_AND_GIVES: wake_first(b, condition, false, event->thread); break;
  case EFFECT_SIGNALS_ALL: wake_first(b, condition, true, event->thread); break;
  default: break;
  }
}

/* ---- events of a trace ---- */

static void follow_other(struct builder *b, const struct event *event) {
  struct syn *syn = &b->run->syn;
  switch (event_effect_of(event)) {
  case EFFECT_CREATES:
    if (event->object >= syn->n_threads) return;
    syn_learn_from_thread(syn, (uint32_t)event->object, event->thread);
    b->arrived.items[event->object] = b->n_taken;
    break;
  case EFFECT_JOINS:
    if (event->object >= syn->n_threads) return;
    syn_learn_from_thread(syn, event->thread, (uint32_t)event->object);
    b->arrived.items[event->thread] = b->n_taken;
    break;
  case EFFECT_LEAVES:
  case EFFECT_RESUMES: {
    const uint32_t object = object_of(b, event->kind, event->object, event->size);
    learn(b, event->thread, object);
    syn_open_after(b, object, event);
    break;
  }
  default: break;
  }
}

static bool is_message(const struct builder *b, uint32_t kind, uint32_t group) {
  const enum event_effect effect = kind_effect((uint8_t)kind);
  const bool is_port = (effect == EFFECT_SENDS && !kind_waits((uint8_t)kind)) || effect == EFFECT_RECEIVES;
  return is_port && !b->objects->is_one && !syn_objects_is_ordered(b->objects, group);
}

static void read_variable(struct builder *b, struct syn_op *op, uint32_t object) {
  const syn_id version = b->run->syn.last_on.items[object];
  op->receive = syn_read(&b->run->syn, op->thread, object, version == SYN_NONE ? SYN_INITIAL : version);
  note(b, op->receive, true);
}

static uint32_t object_of_step(struct builder *b, uint32_t i) {
  const struct event *event = &b->trace->events[i];
  if (b->objects->is_one) return 0;
  if (event->object) return b->object_at.items[i];
  list_open_ports(b, i); /* a selective wait without an open port has no object of its own */
  return b->ports.items[0];
}

static void follow_step(struct builder *b, uint32_t i, bool is_alone) {
  const struct event *event = &b->trace->events[i];
  struct syn_op *op = add_op(b, event->thread, event->kind, true);
  op->alternative = event->alternative;
  op->event = i;
  op->object = event->object;
  op->enabled = trace_enabled_words(b->trace, event) ? trace_enabled_set(b->trace, event)[0] : 0;
  b->n_taken++;
  const bool is_closed_wait = event_looks_at_ports(event) && !event->object;
  if (is_alone || !has_object(event) || (is_closed_wait && !b->objects->is_one)) {
    add_choice(b, op, event->alternative, event->alternatives);
  } else {
    const uint32_t object = object_of_step(b, i), group = b->run->groups.items[object];
    if (is_message(b, event->kind, group) && event_effect_of(event) == EFFECT_RECEIVES)
      receive_message(b, op, event, i);
    else if (is_message(b, event->kind, group))
      send_message(b, op, event, object);
    else if (is_plain_read(event->kind) && !b->objects->is_one)
      read_variable(b, op, object);
    else
      complete(b, op, event, object);
  }
  b->arrived.items[event->thread] = b->n_taken;
}

static void follow_decision(struct builder *b, uint32_t place, uint16_t n_ways) {
  const syn_id id = syn_choose(&b->run->syn, b->trace->decisions[place].thread, 0, n_ways);
  note(b, id, false);
  vector_push(&b->run->decisions, ((struct syn_decision){id, place}));
}

static void follow_events(struct builder *b, const uint16_t *ways) {
  const uint32_t n_decisions = ways ? b->trace->record->n_decisions : 0;
  struct syn_alone alone = {0};
  uint32_t decision = 0;
  for (uint32_t i = 0; i <= b->trace->record->n_events; i++) {
    const bool is_end = i == b->trace->record->n_events;
    for (; decision < n_decisions && (is_end || b->trace->decisions[decision].event <= i); decision++)
      if (ways[decision]) follow_decision(b, decision, ways[decision]);
    if (is_end) return;
    const struct event *event = &b->trace->events[i];
    syn_alone_pass(&alone, event);
    if (event_is_step(event))
      follow_step(b, i, syn_event_is_alone(&alone, event));
    else
      follow_other(b, event);
    follow_waiters(b, event);
  }
}

/* ---- the end of a run ---- */

static bool waits(const struct builder *b, thread_id thread) {
  for (size_t i = 0; i < b->waiters.count; i++)
    if (b->waiters.items[i].thread == thread && !b->waiters.items[i].gives_up) return true;
  return false;
}

/* Who waits to be signalled has not called yet. */
static void follow_pending(struct builder *b, const struct pending *pending) {
  if (!pending_has_object(pending)) return;
  const uint32_t object = object_of(b, pending->kind, pending->object, pending->size);
  const enum event_need need = kind_need(pending->kind);
  const bool is_signalled = need == NEEDS_RELOCK || need == NEEDS_SIGNAL;
  if (is_signalled && waits(b, pending->thread)) return;
  struct syn_op *op = add_op(b, pending->thread, pending->kind, false);
  op->object = pending->object;
  if (is_message(b, pending->kind, b->run->groups.items[object])) {
    if (need != NEEDS_MESSAGE) return;
    op->receive = note(b, syn_receive(&b->run->syn, op->thread, SYN_NONE, &object, 1), true);
  } else if (is_plain_read(pending->kind) && !b->objects->is_one) {
    op->receive = note(b, syn_read(&b->run->syn, op->thread, object, SYN_NONE), true);
  } else {
    uint32_t operation = syn_open_operation(b, object, pending->kind, pending->object, pending->flags);
    if (need == NEEDS_RELOCK) operation = SYN_UNKNOWN;
    op->is_unsure = operation == SYN_UNKNOWN;
    op->call = note(b, syn_send(&b->run->syn, op->thread, object, operation), true);
  }
}

/* Of a run that could not continue without taking what is old: receiving events that are still there without a partner.
 */
static void add_unmatched(struct builder *b) {
  for (size_t i = 0; b->past && i < b->past->slots.count; i++) {
    const struct syn_slots *slots = &b->past->slots.items[i];
    for (uint32_t object = 0; object < b->run->groups.count; object++)
      if (b->run->groups.items[object] == slots->group && b->run->syn.object_lengths.items[object] < slots->count)
        note(b, syn_complete(&b->run->syn, object, SYN_NONE, ~0ull), false);
  }
}

/* ---- all of it ---- */

static uint32_t count_threads(const struct trace_view *trace) {
  uint32_t count = 1;
  for (uint32_t i = 0; i < trace->record->n_events; i++) {
    const struct event *event = &trace->events[i];
    if (event->thread >= count) count = event->thread + 1u;
    if (event_effect_of(event) == EFFECT_CREATES && event->object >= count && event->object < HEDDLE_MAX_THREADS)
      count = (uint32_t)event->object + 1;
  }
  for (uint32_t i = 0; i < trace->record->n_pending; i++)
    if (trace->pendings[i].thread >= count) count = trace->pendings[i].thread + 1u;
  for (uint32_t i = 0; i < trace->record->n_decisions; i++)
    if (trace->decisions[i].thread >= count) count = trace->decisions[i].thread + 1u;
  return count;
}

static void begin(struct builder *b, uint32_t n_threads) {
  b->closed.count = b->n_bits.count = b->bits.count = b->messages.count = b->waiters.count = b->arrived.count = 0;
  b->run->ops.count = b->run->decisions.count = b->run->op_of.count = 0;
  b->n_taken = 0;
  for (size_t i = 0; i < b->run->groups.count; i++) {
    vector_push(&b->closed, 0);
    vector_push(&b->n_bits, SYN_FIRST_BIT);
  }
  for (uint32_t i = 0; i < n_threads; i++) vector_push(&b->arrived, 0);
}

void syn_run_build(struct syn_run *run, const struct syn_objects *objects, const struct trace_view *trace,
                   const uint16_t *ways, const struct syn_past *past) {
  struct builder *b = &scratch;
  const uint32_t n_threads = count_threads(trace);
  b->run = run, b->objects = objects, b->trace = trace, b->past = past;
  list_objects(b);
  syn_init(&run->syn, n_threads, (uint32_t)run->groups.count);
  begin(b, n_threads);
  follow_events(b, ways);
  for (uint32_t i = 0; i < trace->record->n_pending; i++) follow_pending(b, &trace->pendings[i]);
  add_unmatched(b);
}

void syn_run_free(struct syn_run *run) {
  syn_free(&run->syn);
  vector_free(&run->ops);
  vector_free(&run->decisions);
  vector_free(&run->groups);
  vector_free(&run->op_of);
}

void syn_past_free(struct syn_past *past) {
  vector_free(&past->old);
  vector_free(&past->black);
  vector_free(&past->slots);
}
