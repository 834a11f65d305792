/* SPDX-License-Identifier: MIT */
#include "explore/con2colic/hazards.h"

#include "trace/tables.h"

#include <stdlib.h>

#define MOST_PAIRS 100000 /* of accesses that conflict */

void hazards_free(struct hazards *self) {
  vector_free(&self->found);
  vector_free(&self->sources);
  vector_free(&self->lifetimes);
  vector_free(&self->uses);
  vector_free(&self->accesses);
  vector_free(&self->halts);
  vector_free(&self->ends_of_main);
  vector_free(&self->arrivals);
  cause_free(&self->cause);
}

/* --- nodes --- */

static const struct node *at(const struct hazards *self, node_id id) {
  return forest_at(self->forest, id);
}

/* A node of this kind beside `like`, or after `parent`; the same one if it is there. */
static node_id add_node(struct hazards *self, node_id parent, const struct node *like, enum node_kind kind) {
  bool is_new;
  struct node what = {.kind = (uint8_t)kind,
                      .thread = like->thread,
                      .event = like->event,
                      .alternative = like->alternative,
                      .size = like->size,
                      .site = like->site,
                      .object = like->object};
  if (kind == NODE_AFTER) what.flags = NODE_STEP;
  return forest_add(self->forest, parent, &what, &is_new);
}

/* Where the step of the node begins. */
static node_id step_of(const struct hazards *self, node_id id) {
  while (!(at(self, id)->flags & NODE_STEP) && at(self, id)->kind == NODE_ACCESS) id = at(self, id)->parent;
  return id;
}

static bool overlap(const struct node *a, const struct node *b) {
  const uint64_t size_a = a->size ? a->size : 1, size_b = b->size ? b->size : 1;
  return a->object < b->object + size_b && b->object < a->object + size_a;
}

/* --- waiting --- */

/* Every lock that the thread has at the node. */
static void list_held(struct hazards *self, node_id halt) {
  for (node_id id = at(self, halt)->parent; at(self, id)->kind != NODE_START; id = at(self, id)->parent) {
    const enum lock_use use = node_lock_use(at(self, id));
    if (use != LOCK_TAKES && use != LOCK_TAKES_SHARED) continue;
    const uint64_t lock = node_lock(self->forest, id);
    bool is_given = false;
    for (node_id k = at(self, halt)->parent; k != id && !is_given; k = at(self, k)->parent)
      is_given = node_lock_use(at(self, k)) == LOCK_GIVES && node_lock(self->forest, k) == lock;
    if (!is_given) vector_push(&self->sources, ((struct need){halt, NEED_HOLDS, lock}));
  }
}

static void add_last(struct hazards *self, node_id id) {
  const thread_id thread = at(self, id)->thread;
  vector_push(&self->sources, ((struct need){id, NEED_LAST, thread}));
  if (at(self, id)->kind == NODE_HALT) vector_push(&self->sources, ((struct need){id, NEED_HALT, thread}));
  list_held(self, id);
}

/* Nobody is told that the run does not end unless main is part of it: it waits, or it has ended as a thread. */
static void add_halt(struct hazards *self, node_id parent, struct node like, uint8_t flags) {
  const size_t before = forest_count(self->forest);
  const node_id id = add_node(self, parent, &like, NODE_HALT);
  if (forest_count(self->forest) == before) return;
  forest_at(self->forest, id)->flags |= flags;
  add_last(self, id);
  vector_push(&self->halts, id);
  if (like.thread == 0) vector_push(&self->found, (struct hazard){.sink = id});
  for (size_t i = 0; like.thread != 0 && i < self->ends_of_main.count; i++)
    vector_push(&self->found, ((struct hazard){.sink = id, .tail = self->ends_of_main.items[i]}));
}

static void add_end(struct hazards *self, node_id id) {
  add_last(self, id);
  if (at(self, id)->thread != 0) return;
  vector_push(&self->ends_of_main, id);
  for (size_t i = 0; i < self->halts.count; i++)
    if (at(self, self->halts.items[i])->thread != 0)
      vector_push(&self->found, ((struct hazard){.sink = self->halts.items[i], .tail = id}));
}

static void add_wake_halts(struct hazards *self, struct node wake, node_id parent) {
  for (uint16_t is_signalled = 0; is_signalled < 2; is_signalled++) {
    wake.alternative = is_signalled;
    add_halt(self, parent, wake, 0);
  }
}

/* Can the operation make its thread wait? */
static void look_for_halt(struct hazards *self, node_id id) {
  struct node node = *at(self, id);
  const node_id parent = node.parent;
  if (node.flags & NODE_PARKED && node.flags & NODE_READS) add_halt(self, parent, node, NODE_STEP | NODE_READS);
  if (node.kind == NODE_JOIN) node.event = EVENT_THREAD_JOIN;
  if (node.kind == NODE_JOIN) add_halt(self, parent, node, 0);
  if (node.kind != NODE_EVENT || node.flags & NODE_NESTED) return;
  if (!kind_waits(node.event) || !node_is_modelled(&node)) return;
  if (kind_need(node.event) == NEEDS_RELOCK)
    add_wake_halts(self, node, parent);
  else
    add_halt(self, parent, node, 0);
}

/* A thread that never ended has no result to join with, but can be waited for. */
static void look_at_joins(struct hazards *self, const struct extraction *extraction) {
  for (; self->joins_seen < extraction->joins.count; self->joins_seen++) {
    const struct join *join = &extraction->joins.items[self->joins_seen];
    struct node like = join->what;
    like.event = EVENT_THREAD_JOIN;
    add_halt(self, join->parent, like, 0);
  }
}

/* --- lifetimes --- */

static bool changes_life(const struct node *node) {
  const struct event event = {.kind = node->event};
  return node->kind == NODE_EVENT && event_is_lifetime(&event);
}

static bool has_object(const struct node *node) {
  if (node->kind == NODE_ACCESS || node->kind == NODE_PENDING) return true;
  if (node->kind != NODE_EVENT) return false;
  const struct event event = {.kind = node->event};
  switch (event_class_of(&event)) {
  case CLASS_NOTHING:
  case CLASS_THREAD:
  case CLASS_DESCRIPTOR: return false;
  default: return true;
  }
}

static void add_after(struct hazards *self, node_id later, node_id earlier, node_id tail) {
  later = step_of(self, later);
  const struct node like = *at(self, later);
  const node_id after = add_node(self, like.parent, &like, NODE_AFTER);
  vector_push(&self->found, ((struct hazard){after, {after, earlier}, tail}));
}

/* The operation makes its thread a user of the object until it does something else. */
static bool begins_use(const struct node *node) {
  const enum lock_use use = node_lock_use(node);
  const enum event_effect effect = kind_effect(node->event);
  return use == LOCK_TAKES || use == LOCK_TAKES_SHARED || effect == EFFECT_WAITS || effect == EFFECT_ARRIVES;
}

/* The object is in use when its life ends: the thread stands after the operation, or, waiting for a token, before it.
 */
static void add_in_use(struct hazards *self, node_id end, node_id use) {
  const struct node like = *at(self, use);
  if (like.kind != NODE_EVENT || !(at(self, end)->flags & NODE_REALISED)) return;
  if (kind_need(like.event) == NEEDS_TOKEN && kind_waits(like.event)) {
    const node_id stands = add_node(self, like.parent, &like, NODE_MEET);
    add_after(self, end, like.parent, stands);
  } else if (begins_use(&like) && like.flags & NODE_REALISED) {
    add_after(self, end, use, add_node(self, use, &like, NODE_MEET));
  }
}

/* Has the life always ended when the use's thread comes to be? Then every run shows what the use is, and it may be one
 * of another variable in the same place. */
static bool ends_before(struct hazards *self, node_id life, node_id use) {
  cause_start(&self->cause, self->forest, use);
  return cause_has(&self->cause, self->forest, life);
}

static void pair_life(struct hazards *self, node_id life, node_id use) {
  const struct node *a = at(self, life), *b = at(self, use);
  if (a->thread == b->thread || !overlap(a, b)) return;
  const bool is_end = a->event != EVENT_INITIALISE;
  if (is_end && ends_before(self, life, use)) return;
  if (is_end && a->flags & NODE_REALISED) add_after(self, use, life, 0);
  if (is_end) add_in_use(self, life, use);
  if (!is_end && at(self, use)->kind == NODE_EVENT && at(self, use)->flags & NODE_REALISED)
    add_after(self, life, use, 0);
}

static void look_for_life(struct hazards *self, node_id id) {
  if (!has_object(at(self, id))) return;
  for (size_t i = 0; i < self->lifetimes.count; i++) pair_life(self, self->lifetimes.items[i], id);
  if (changes_life(at(self, id)))
    for (size_t i = 0; i < self->uses.count; i++) pair_life(self, id, self->uses.items[i]);
  vector_push(&self->uses, id);
  if (changes_life(at(self, id))) vector_push(&self->lifetimes, id);
}

/* --- races --- */

static bool is_atomic(const struct node *node) {
  return node->event != EVENT_READ && node->event != EVENT_WRITE && node->event != EVENT_FREE;
}

static bool only_reads(const struct node *node) {
  return node->event == EVENT_READ || node->event == EVENT_ATOMIC_READ || node->event == EVENT_ATOMIC_EXCHANGE_FAILED;
}

static bool conflict(const struct node *a, const struct node *b) {
  return a->thread != b->thread && overlap(a, b) && !(is_atomic(a) && is_atomic(b)) &&
         !(only_reads(a) && only_reads(b));
}

static node_id meet_at(struct hazards *self, node_id id) {
  const struct node like = *at(self, step_of(self, id));
  return add_node(self, like.parent, &like, NODE_MEET);
}

static void look_for_races(struct hazards *self, node_id id) {
  const struct node *node = at(self, id);
  const bool is_access = node->kind == NODE_ACCESS || node->kind == NODE_PENDING ||
                         (node->kind == NODE_EVENT && node->event == EVENT_FREE);
  if (!self->wants_races || !is_access) return;
  if (self->found.count > MOST_PAIRS) {
    self->undecided = "data races: there are too many accesses to compare";
    return;
  }
  for (size_t i = 0; i < self->accesses.count; i++)
    if (conflict(at(self, id), at(self, self->accesses.items[i])))
      vector_push(&self->found,
                  ((struct hazard){.sink = meet_at(self, id), .tail = meet_at(self, self->accesses.items[i])}));
  vector_push(&self->accesses, id);
}

/* --- barriers --- */

/* With more threads than a barrier waits for, who meets whom there is not modelled. */
static void look_at_barrier(struct hazards *self, node_id id) {
  const struct node *node = at(self, id);
  if (node->kind != NODE_EVENT || kind_effect(node->event) != EFFECT_ARRIVES) return;
  uint32_t threads = 1;
  for (size_t i = 0; i < self->arrivals.count; i++) {
    const struct node *other = at(self, self->arrivals.items[i]);
    if (other->object != node->object) continue;
    if (other->thread == node->thread) return;
    threads++;
  }
  vector_push(&self->arrivals, id);
  if (node->flags & NODE_REALISED && threads > node->size)
    self->undecided = "something that depends on who meets whom at a barrier that more threads use than it waits for";
}

/* --- the whole --- */

const char *hazards_words(const struct node *node) {
  switch (node->kind) {
  case NODE_HALT: return "threads that wait for each other forever";
  case NODE_MEET: return "data races";
  default: return "the use of something that another thread has freed or destroyed";
  }
}

/* A node whose way no run has gone is none that a run can come to. */
static bool can_be_stood_before(const struct hazards *self, node_id id) {
  const struct node *node = at(self, id);
  return !node_is_hazard(node) && node->kind != NODE_START && at(self, node->parent)->flags & NODE_REALISED;
}

void hazards_look(struct hazards *self, const struct extraction *extraction) {
  const node_id end = (node_id)forest_count(self->forest);
  self->found.count = self->sources.count = 0;
  while (self->seen < end) {
    const node_id id = ++self->seen;
    if (!can_be_stood_before(self, id)) continue;
    if (at(self, id)->kind == NODE_END) add_end(self, id);
    look_for_halt(self, id);
    look_for_life(self, id);
    look_for_races(self, id);
    look_at_barrier(self, id);
  }
  look_at_joins(self, extraction);
}
