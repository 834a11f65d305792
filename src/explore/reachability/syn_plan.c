/* SPDX-License-Identifier: MIT
 *
 * From a variant to a plan. What the variant leaves as it was keeps its order; events whose partner was changed have
 * nothing behind them and come last, those on threads before those on objects. Only when a read is to receive from a
 * write that is not the last one, it has to come in between: then all steps are put in order anew, and it may turn out
 * that there is none (variables do not keep old values as ports keep messages).
 */
#include "explore/reachability/syn_run.h"

#include "base/error.h"
#include "model/dependence.h"

#include <stdlib.h>

#define NO_OP UINT32_MAX

struct planner {
  struct syn_plan *plan;
  const struct syn_run *run;
  const struct syn_variant *variant;
};

static const struct syn_event *event_at(const struct planner *p, syn_id id) {
  return &p->run->syn.events.items[id];
}

static bool is_in(const struct planner *p, syn_id id) {
  return id != SYN_NONE && p->variant->in.items[id];
}

static bool is_access(uint8_t kind) {
  return kind_class(kind) == CLASS_MEMORY && kind_effect(kind) != EFFECT_RENEWS;
}

static bool is_changed(const struct planner *p, syn_id id) {
  return id != SYN_NONE && p->variant->is_changed.items[id];
}

static bool is_matched(const struct planner *p, syn_id id) {
  return is_in(p, id) && p->variant->partner.items[id] != SYN_NONE;
}

/* ---- which steps ---- */

static bool is_completion(const struct planner *p, syn_id id) {
  return id != SYN_NONE && event_at(p, id)->kind == SYN_COMPLETE;
}

/* Is it taken in the variant where it was taken in the run? */
static bool stays(const struct planner *p, const struct syn_op *op) {
  if (!op->was_taken) return false;
  if (op->receive != SYN_NONE) return is_matched(p, op->receive) && !is_changed(p, op->receive);
  return is_in(p, op->call != SYN_NONE ? op->call : op->choice);
}

static void list(struct planner *p, uint32_t op) {
  vector_push(&p->plan->order, op);
  p->plan->is_listed.items[op] = 1;
  p->plan->may_stop |= p->run->ops.items[op].is_unsure;
}

static void list_steps(struct planner *p) {
  struct syn_plan *plan = p->plan;
  const struct syn_run *run = p->run;
  plan->order.count = plan->is_listed.count = 0;
  plan->may_stop = false;
  for (size_t i = 0; i < run->ops.count; i++) vector_push(&plan->is_listed, 0);
  for (uint32_t i = 0; i < run->ops.count; i++)
    if (stays(p, &run->ops.items[i])) list(p, i);
  plan->may_stop = false;
  for (uint32_t i = 0; i < run->ops.count; i++) {
    const syn_id receive = run->ops.items[i].receive;
    if (is_changed(p, receive) && !is_completion(p, receive)) list(p, i);
    plan->may_stop |= is_changed(p, receive) && is_access(run->ops.items[i].kind); /* it may spin */
  }
  for (syn_id id = 0; id < run->syn.events.count; id++)
    if (is_changed(p, id) && is_completion(p, id)) list(p, run->op_of.items[p->variant->partner.items[id]]);
}

/* ---- reads of earlier writes ---- */

static uint32_t version_index(const struct planner *p, uint32_t version) {
  return version == SYN_INITIAL ? 0 : event_at(p, version)->index;
}

static bool moves_read(const struct planner *p) {
  for (size_t i = 0; i < p->plan->order.count; i++) {
    const syn_id receive = p->run->ops.items[p->plan->order.items[i]].receive;
    if (is_changed(p, receive) && event_at(p, receive)->kind == SYN_READ) return true;
  }
  return false;
}

struct sorter {
  VECTOR(uint32_t) emitted; /* per thread: the numbers that have been */
  VECTOR(uint32_t) slots;   /* per object: completions that have been */
  VECTOR(uint32_t) sorted;
  VECTOR(uint8_t) is_done;   /* per place in the order */
  VECTOR(uint32_t) needs;    /* a clock */
  VECTOR(syn_id) changed_to; /* per call: the completion that was changed to it, SYN_NONE none */
  VECTOR(uint32_t) reads_at; /* per object: where its versions begin in `n_reads` */
  VECTOR(uint32_t) n_reads;  /* per version: reads of it that are still to come */
};

static void need(const struct syn *syn, struct sorter *s, const uint32_t *clock) {
  for (uint32_t i = 0; i < syn->n_threads; i++)
    if (clock[i] > s->needs.items[i]) s->needs.items[i] = clock[i];
}

static const uint32_t *control_of(const struct syn *syn, syn_id id) {
  return syn_timestamp(syn, id) + syn->n_threads;
}

/* The completion that the operation has in the variant. */
static syn_id completion_of(const struct planner *p, const struct sorter *s, uint32_t op) {
  const syn_id call = p->run->ops.items[op].call;
  const syn_id receive = p->run->ops.items[op].receive;
  if (is_completion(p, receive) && is_in(p, receive) && p->variant->partner.items[receive] == call) return receive;
  return call == SYN_NONE ? SYN_NONE : s->changed_to.items[call];
}

static void list_needs(const struct planner *p, struct sorter *s, uint32_t op) {
  const struct syn *syn = &p->run->syn;
  const struct syn_op *o = &p->run->ops.items[op];
  const syn_id completion = completion_of(p, s, op);
  s->needs.count = 0;
  for (uint32_t i = 0; i < syn->n_threads; i++) vector_push(&s->needs, 0);
  if (o->call != SYN_NONE) need(syn, s, control_of(syn, o->call));
  if (o->choice != SYN_NONE && o->call == SYN_NONE && o->receive == SYN_NONE) need(syn, s, control_of(syn, o->choice));
  if (completion != SYN_NONE) need(syn, s, control_of(syn, completion));
  if (o->receive == SYN_NONE || is_completion(p, o->receive)) return;
  const uint32_t partner = p->variant->partner.items[o->receive];
  need(syn, s, control_of(syn, o->receive));
  if (partner < SYN_INITIAL) need(syn, s, syn_timestamp(syn, partner));
}

/* How many reads of the version that the operation reads are still to come; NULL: it reads none. */
static uint32_t *reads_like(const struct planner *p, const struct sorter *s, uint32_t op) {
  const syn_id receive = p->run->ops.items[op].receive;
  if (receive == SYN_NONE || event_at(p, receive)->kind != SYN_READ) return NULL;
  const uint32_t first = s->reads_at.items[event_at(p, receive)->object];
  return &s->n_reads.items[first + version_index(p, p->variant->partner.items[receive])];
}

/* Is a read of the object still to come that has to find it as it is? None is of a version before that: no version has
 * been left while there was one. */
static bool is_read_before(const struct sorter *s, uint32_t object) {
  return s->n_reads.items[s->reads_at.items[object] + s->slots.items[object]] > 0;
}

static bool can_come(const struct planner *p, struct sorter *s, uint32_t op) {
  const struct syn_op *o = &p->run->ops.items[op];
  list_needs(p, s, op);
  for (uint32_t i = 0; i < p->run->syn.n_threads; i++)
    if (s->needs.items[i] > s->emitted.items[i]) return false;
  const syn_id completion = completion_of(p, s, op);
  if (completion != SYN_NONE) return !is_read_before(s, event_at(p, completion)->object);
  if (o->receive == SYN_NONE || event_at(p, o->receive)->kind != SYN_READ) return true;
  return version_index(p, p->variant->partner.items[o->receive]) == s->slots.items[event_at(p, o->receive)->object];
}

/* Up to the next call or receive of the thread: choices and decisions come with the step before. */
static uint32_t last_number(const struct planner *p, uint32_t op) {
  const struct syn_op *o = &p->run->ops.items[op];
  for (uint32_t next = op + 1; next < p->run->ops.count; next++) {
    const struct syn_op *other = &p->run->ops.items[next];
    if (other->thread != o->thread) continue;
    const syn_id first = other->call != SYN_NONE      ? other->call
                         : other->receive != SYN_NONE ? other->receive
                                                      : other->choice;
    return first == SYN_NONE ? UINT32_MAX : event_at(p, first)->number - 1;
  }
  return UINT32_MAX;
}

static void emit(const struct planner *p, struct sorter *s, size_t place) {
  const uint32_t op = p->plan->order.items[place];
  const syn_id completion = completion_of(p, s, op);
  uint32_t *reads = reads_like(p, s, op);
  if (reads) --*reads;
  s->is_done.items[place] = 1;
  vector_push(&s->sorted, op);
  s->emitted.items[p->run->ops.items[op].thread] = last_number(p, op);
  if (completion != SYN_NONE) s->slots.items[event_at(p, completion)->object]++;
}

static void list_changed(const struct planner *p, struct sorter *s) {
  const size_t count = p->run->syn.events.count;
  for (size_t i = 0; i < count; i++) vector_push(&s->changed_to, SYN_NONE);
  for (syn_id id = (syn_id)count; id-- > 0;) {
    const uint32_t call = p->variant->partner.items[id];
    if (is_changed(p, id) && is_completion(p, id) && call < count) s->changed_to.items[call] = id;
  }
}

static void count_reads(const struct planner *p, struct sorter *s) {
  for (uint32_t i = 0; i < p->run->syn.n_objects; i++) {
    vector_push(&s->reads_at, (uint32_t)s->n_reads.count);
    for (uint32_t k = 0; k <= p->run->syn.object_lengths.items[i]; k++) vector_push(&s->n_reads, 0);
  }
  for (size_t i = 0; i < p->plan->order.count; i++) {
    uint32_t *reads = reads_like(p, s, p->plan->order.items[i]);
    if (reads) ++*reads;
  }
}

/* Before its first operation a thread may have decided. */
static void begin_sorting(const struct planner *p, struct sorter *s) {
  for (uint32_t i = 0; i < p->run->syn.n_threads; i++) vector_push(&s->emitted, UINT32_MAX);
  for (size_t i = p->run->ops.count; i-- > 0;) {
    const struct syn_op *op = &p->run->ops.items[i];
    const syn_id first = op->call != SYN_NONE ? op->call : op->receive != SYN_NONE ? op->receive : op->choice;
    if (first != SYN_NONE) s->emitted.items[op->thread] = event_at(p, first)->number - 1;
  }
  for (uint32_t i = 0; i < p->run->syn.n_objects; i++) vector_push(&s->slots, 0);
  for (size_t i = 0; i < p->plan->order.count; i++) vector_push(&s->is_done, 0);
  list_changed(p, s);
  count_reads(p, s);
}

static void end_sorting(struct sorter *s) {
  vector_free(&s->emitted);
  vector_free(&s->slots);
  vector_free(&s->sorted);
  vector_free(&s->is_done);
  vector_free(&s->needs);
  vector_free(&s->changed_to);
  vector_free(&s->reads_at);
  vector_free(&s->n_reads);
}

static bool sort(struct planner *p) {
  struct sorter s = {0};
  size_t first = 0; /* that is not done */
  begin_sorting(p, &s);
  for (bool goes_on = true; goes_on;) {
    goes_on = false;
    while (first < p->plan->order.count && s.is_done.items[first]) first++;
    for (size_t i = first; i < p->plan->order.count; i++) {
      if (s.is_done.items[i] || !can_come(p, &s, p->plan->order.items[i])) continue;
      emit(p, &s, i);
      goes_on = true;
      break; /* choices that a thread makes on its own come right after its step: the order is that of the run */
    }
  }
  const bool is_complete = s.sorted.count == p->plan->order.count;
  for (size_t i = 0; is_complete && i < s.sorted.count; i++) p->plan->order.items[i] = s.sorted.items[i];
  end_sorting(&s);
  return is_complete;
}

/* ---- steps ---- */

struct in_port {
  thread_id sender;
  uint64_t port;
  uint32_t object;
  syn_id send;
};
typedef VECTOR(struct in_port) port_contents;

static bool is_open_port(const struct planner *p, const struct syn_event *receive, uint32_t object) {
  for (uint32_t i = 0; i < receive->n_open; i++)
    if (p->run->syn.ports.items[receive->open_at + i] == object) return true;
  return false;
}

static bool is_first(const port_contents *contents, size_t i) {
  for (size_t k = 0; k < i; k++)
    if (contents->items[k].sender == contents->items[i].sender && contents->items[k].port == contents->items[i].port)
      return false;
  return true;
}

/* Which alternative takes the message: abi/events.def has their order. */
static uint16_t take_message(const struct planner *p, port_contents *contents, syn_id receive) {
  const struct syn_event *r = event_at(p, receive);
  const syn_id send = p->variant->partner.items[receive];
  size_t taken = 0;
  uint16_t rank = 0;
  while (taken < contents->count && contents->items[taken].send != send) taken++;
  BUG_ON(taken == contents->count);
  const struct in_port message = contents->items[taken];
  for (size_t i = 0; i < contents->count; i++) {
    const struct in_port *other = &contents->items[i];
    if (!is_first(contents, i) || !is_open_port(p, r, other->object)) continue;
    rank += other->sender != message.sender ? other->sender < message.sender : other->port < message.port;
  }
  for (size_t i = taken; i + 1 < contents->count; i++) contents->items[i] = contents->items[i + 1];
  contents->count--;
  return rank;
}

static uint16_t alternative_of(const struct planner *p, const struct syn_op *op, port_contents *contents) {
  if (op->call != SYN_NONE && op->receive == SYN_NONE) {
    vector_push(contents, ((struct in_port){op->thread, op->object, event_at(p, op->call)->object, op->call}));
    return 0;
  }
  if (op->receive != SYN_NONE && event_at(p, op->receive)->kind == SYN_RECEIVE)
    return take_message(p, contents, op->receive);
  return is_in(p, op->choice) ? (uint16_t)p->variant->partner.items[op->choice] : 0;
}

static void make_steps(struct planner *p) {
  port_contents contents = {0};
  p->plan->steps.count = 0;
  for (size_t i = 0; i < p->plan->order.count; i++) {
    const struct syn_op *op = &p->run->ops.items[p->plan->order.items[i]];
    const struct step step = {op->thread, alternative_of(p, op, &contents)};
    schedule_append(&p->plan->steps, &step, 1);
  }
  vector_free(&contents);
}

/* ---- who waits ---- */

static void wait_for_group(struct syn_plan *plan, thread_id thread, uint32_t group, const struct syn_objects *objects) {
  struct event wait = {.thread = thread, .value = UINT64_MAX};
  if (objects->is_one) vector_push(&plan->waits, wait);
  for (size_t i = 0; !objects->is_one && i < objects->extents.count; i++) {
    const struct syn_extent *extent = &objects->extents.items[i];
    if (syn_objects_find(objects, (struct syn_place){extent->start, extent->end}) != group) continue;
    wait.object = extent->start, wait.value = extent->end;
    wait.flags = EVENT_IN_SECTION; /* reads do not count */
    vector_push(&plan->waits, wait);
  }
}

/* An operation of the variant that has been called, and not completed. */
static bool is_called(const struct planner *p, uint32_t op) {
  return !p->plan->is_listed.items[op] && is_in(p, p->run->ops.items[op].call);
}

static void wait_for_slot(struct planner *p, uint32_t object, const struct syn_objects *objects) {
  for (uint32_t i = 0; i < p->run->ops.count; i++)
    if (is_called(p, i) && event_at(p, p->run->ops.items[i].call)->object == object)
      wait_for_group(p->plan, p->run->ops.items[i].thread, p->run->groups.items[object], objects);
}

/* What was written last in the variant is not old when another thread wrote it in the sequence. */
static bool has_new_version(const struct planner *p, uint32_t object) {
  syn_id id = p->run->syn.last_on.items[object];
  while (id != SYN_NONE && !is_matched(p, id)) id = event_at(p, id)->previous;
  return is_changed(p, id);
}

static void make_waits(struct planner *p, const struct syn_objects *objects) {
  p->plan->waits.count = 0;
  for (syn_id id = 0; id < p->run->syn.events.count; id++) {
    const struct syn_event *event = event_at(p, id);
    if (event->kind == SYN_SEND || !is_in(p, id) || is_matched(p, id)) continue;
    switch (event->kind) {
    case SYN_COMPLETE: wait_for_slot(p, event->object, objects); break;
    case SYN_READ:
      if (!has_new_version(p, event->object))
        wait_for_group(p->plan, event->thread, p->run->groups.items[event->object], objects);
      break;
    case SYN_RECEIVE:
      vector_push(&p->plan->waits, ((struct event){.thread = event->thread, .kind = EVENT_PORT_RECEIVE}));
      break;
    default: break;
    }
  }
}

/* ---- what becomes old ---- */

static void raise(uint32_t *items, uint32_t thread, uint32_t number) {
  if (number > items[thread]) items[thread] = number;
}

static void count_slot(struct planner *p, syn_id completion) {
  const uint32_t group = p->run->groups.items[event_at(p, completion)->object];
  const bool is_kept = is_matched(p, completion) && !is_changed(p, completion);
  struct syn_past *past = &p->plan->past;
  size_t i = 0;
  while (i < past->slots.count && past->slots.items[i].group != group) i++;
  if (i == past->slots.count) vector_push(&past->slots, ((struct syn_slots){.group = group}));
  past->slots.items[i].count++;
  past->slots.items[i].n_kept += is_kept;
}

static void make_past(struct planner *p) {
  struct syn_past *past = &p->plan->past;
  past->old.count = past->black.count = past->slots.count = 0;
  for (uint32_t i = 0; i < p->run->syn.n_threads; i++) {
    vector_push(&past->old, 0);
    vector_push(&past->black, 0);
  }
  for (syn_id id = 0; id < p->run->syn.events.count; id++) {
    const struct syn_event *event = event_at(p, id);
    if (!is_in(p, id)) continue;
    if (event->kind == SYN_COMPLETE)
      count_slot(p, id);
    else
      raise(past->old.items, event->thread, event->number);
    if (event->kind == SYN_SEND || !p->variant->is_black.items[id]) continue;
    const uint32_t partner = p->variant->partner.items[id];
    const struct syn_event *by = event->kind == SYN_COMPLETE && partner != SYN_NONE ? event_at(p, partner) : event;
    if (by->thread != NO_SYN_THREAD) raise(past->black.items, by->thread, by->number);
  }
}

bool syn_plan_make(struct syn_plan *plan, const struct syn_run *run, const struct syn_variant *variant,
                   const struct syn_objects *objects) {
  struct planner planner = {plan, run, variant};
  list_steps(&planner);
  if (moves_read(&planner) && !sort(&planner)) return false;
  make_steps(&planner);
  make_waits(&planner, objects);
  make_past(&planner);
  return true;
}

void syn_plan_free(struct syn_plan *plan) {
  vector_free(&plan->steps);
  vector_free(&plan->waits);
  vector_free(&plan->order);
  vector_free(&plan->is_listed);
  syn_past_free(&plan->past);
}
