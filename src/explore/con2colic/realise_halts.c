/* SPDX-License-Identifier: MIT */
#include "explore/con2colic/realise_halts.h"

#include "explore/con2colic/realise_internal.h"

/* --- who is waited for --- */

static const struct node *leaf_of(const struct realiser *self, uint32_t way) {
  return forest_at(self->forest, self->cause.ways.items[way].leaf);
}

static enum lock_use wanted_use(const struct node *halt) {
  struct node as_event = *halt;
  as_event.kind = NODE_EVENT;
  return node_lock_use(&as_event);
}

/* Somebody who goes no further has the lock: another thread, or the one that waits. */
static void demand_holder(struct realiser *self, uint32_t index) {
  const enum lock_use use = wanted_use(node_at(self, index));
  const uint64_t lock = node_lock(self->forest, self->cause.nodes.items[index]);
  for (size_t i = 0; i < self->work->sections.count; i++) {
    const struct section *section = &self->work->sections.items[i];
    if (section->lock != lock || section->given != NO_INDEX) continue;
    if (section->is_shared && use == LOCK_TAKES_SHARED) continue;
    if (node_is_last(leaf_of(self, section->way))) return;
  }
  add_need(self, index, NEED_HOLDS, lock);
}

static void demand_thread(struct realiser *self, uint32_t index) {
  const uint64_t thread = node_at(self, index)->object;
  const struct thread_way *way = cause_way(&self->cause, (thread_id)thread);
  if (!way || forest_at(self->forest, way->leaf)->kind != NODE_HALT) add_need(self, index, NEED_HALT, thread);
}

static void demand_all(struct realiser *self, uint32_t index) {
  for (uint32_t i = 0; i < self->cause.nodes.count; i++) {
    if (node_at(self, i)->kind != NODE_FORK) continue;
    const struct thread_way *way = cause_way(&self->cause, (thread_id)node_at(self, i)->object);
    if (way && node_is_last(forest_at(self->forest, way->leaf))) continue;
    add_need(self, index, NEED_LAST, node_at(self, i)->object);
    return;
  }
}

static uint32_t wait_of(const struct realiser *self, uint32_t halt) {
  uint32_t i = halt;
  do i--;
  while (node_at(self, i)->kind != NODE_START && kind_effect(node_at(self, i)->event) != EFFECT_WAITS);
  return i;
}

/* It was woken up, and waits for the mutex. */
static void demand_signal(struct realiser *self, uint32_t index) {
  const node_id source = parts_source(self->work->parts, self->cause.nodes.items[index]);
  if (!source)
    add_need(self, index, NEED_SIGNAL, node_at(self, index)->object);
  else
    demand(self, self->work->at.items[wait_of(self, index)], self->work->at.items[index_of(self, source)], 0);
}

/* The last step of another thread's way before it halts. */
static point_id last_step(const struct realiser *self, uint32_t way) {
  const struct thread_way *it = &self->cause.ways.items[way];
  const bool spins = leaf_of(self, way)->kind == NODE_HALT && leaf_of(self, way)->flags & NODE_STEP;
  return spins ? self->work->at.items[it->first + it->count - 2] : self->work->last.items[way];
}

/* A loop that waits looks at the variable when all others have reached their ends. */
static void demand_end_of_others(struct realiser *self, uint32_t index) {
  const uint32_t own = way_of(self, index);
  for (uint32_t w = 0; w < self->cause.ways.count; w++)
    if (w != own) demand(self, last_step(self, w), self->work->at.items[index], 0);
}

static bool waits_for_signal(const struct node *halt) {
  return kind_effect(halt->event) == EFFECT_RELOCKS && halt->alternative == 0;
}

void halt_demand(struct realiser *self, uint32_t index) {
  const struct node *halt = node_at(self, index);
  if (kind_effect(halt->event) == EFFECT_JOINS) {
    demand_thread(self, index);
  } else if (wanted_use(halt) != LOCK_NONE && !waits_for_signal(halt)) {
    demand_holder(self, index);
    if (kind_effect(halt->event) == EFFECT_RELOCKS) demand_signal(self, index);
  } else {
    demand_all(self, index);
    if (halt->flags & NODE_READS) demand_end_of_others(self, index);
  }
}

/* --- nobody continues --- */

/* Whom the signal wakes; NO_INDEX: nobody. */
static uint32_t woken_by(const struct realiser *self, uint32_t signal) {
  const struct scenario_parts *parts = self->work->parts;
  for (size_t i = 0; i < parts->interferences.count; i++)
    if (parts->interferences.items[i].source == self->cause.nodes.items[signal])
      return index_of(self, parts->interferences.items[i].target);
  return NO_INDEX;
}

/* The signal comes before the wait, or after the one that ends it (`end` NO_POINT: none does). */
static void demand_outside(struct realiser *self, point_id signal, point_id wait, point_id end) {
  if (signal == end) return;
  if (end == NO_POINT)
    demand(self, signal, wait, 0);
  else
    precedence_demand_either(self->work->precedence, signal, wait, end, signal, 0);
}

/* When its wait is ended, if at all. */
static point_id end_of_wait(const struct realiser *self, uint32_t wake) {
  const node_id source = parts_source(self->work->parts, self->cause.nodes.items[wake]);
  return source ? self->work->at.items[index_of(self, source)] : NO_POINT;
}

/* A signal that wakes nobody finds nobody who waits; a broadcast leaves nobody. */
static void demand_signals(struct realiser *self, uint32_t wake) {
  const uint64_t condition = node_at(self, wake)->object;
  const point_id wait = self->work->at.items[wait_of(self, wake)], end = end_of_wait(self, wake);
  for (uint32_t i = 0; i < self->cause.nodes.count; i++) {
    const struct node *node = node_at(self, i);
    if (node->kind != NODE_EVENT || node->object != condition) continue;
    const bool is_signal = kind_effect(node->event) == EFFECT_SIGNALS && woken_by(self, i) == NO_INDEX;
    if (is_signal || kind_effect(node->event) == EFFECT_SIGNALS_ALL)
      demand_outside(self, self->work->at.items[i], wait, end);
  }
}

static bool has_no_tokens(const struct realiser *self, uint64_t semaphore) {
  uint64_t given = tokens_of(self, semaphore), taken = 0;
  for (uint32_t i = 0; i < self->cause.nodes.count; i++) {
    const struct node *node = node_at(self, i);
    if (node->kind != NODE_EVENT || node->object != semaphore) continue;
    given += kind_effect(node->event) == EFFECT_GIVES_TOKEN;
    taken += takes_token(node);
  }
  return given <= taken;
}

static bool is_barrier_closed(const struct realiser *self, uint32_t halt) {
  const uint64_t barrier = node_at(self, halt)->object;
  const uint32_t round = round_at(self, halt, barrier);
  uint32_t arrived = 0, needed = 1;
  for (uint32_t i = 0; i < self->cause.nodes.count; i++) {
    const struct node *node = node_at(self, i);
    if (!node_does(node, EFFECT_ARRIVES) || node->object != barrier) continue;
    arrived += round_at(self, i, barrier) == round;
    needed = node->size;
  }
  return arrived < needed;
}

/* Somebody does it and never gets to its end. */
static bool is_once_open(const struct realiser *self, uint64_t once) {
  uint32_t entered = 0, left = 0;
  for (uint32_t i = 0; i < self->cause.nodes.count; i++) {
    const struct node *node = node_at(self, i);
    if (node->kind != NODE_EVENT || node->object != once) continue;
    entered += kind_effect(node->event) == EFFECT_ENTERS && !node->value;
    left += kind_effect(node->event) == EFFECT_FINISHES;
  }
  return entered > left;
}

/* Can the thread not continue, as far as it does not depend on the order? */
static bool is_halted(const struct realiser *self, uint32_t index) {
  const struct node *halt = node_at(self, index);
  switch (kind_need(halt->event)) {
  case NEEDS_TOKEN: return has_no_tokens(self, halt->object);
  case NEEDS_OPENING: return is_barrier_closed(self, index);
  case NEEDS_IDLE: return is_once_open(self, halt->object);
  default: return true;
  }
}

static bool is_wake(const struct node *node) {
  return (node->kind == NODE_EVENT || node->kind == NODE_HALT) && kind_effect(node->event) == EFFECT_RELOCKS;
}

bool halts_close(struct realiser *self) {
  bool has_signals = false;
  for (uint32_t i = 0; i < self->cause.nodes.count; i++) {
    const struct node *node = node_at(self, i);
    if (node->kind != NODE_HALT) continue;
    if (!is_halted(self, i)) return false;
    has_signals |= waits_for_signal(node);
  }
  for (uint32_t i = 0; has_signals && i < self->cause.nodes.count; i++)
    if (is_wake(node_at(self, i))) demand_signals(self, i);
  return true;
}

/* --- loops that wait --- */

static bool spins(const struct node *node) {
  return node->kind == NODE_HALT && node->flags & NODE_READS;
}

/* What the loop found in the variable when it last looked; 0: it is not known. */
static term_id found_before(const struct realiser *self, uint32_t halt) {
  const uint32_t first = self->cause.ways.items[way_of(self, halt)].first;
  for (uint32_t i = halt; i-- > first;) {
    const struct node *node = node_at(self, i);
    if (node->kind == NODE_ACCESS && node->flags & NODE_READS && node->object == node_at(self, halt)->object)
      return node->symbol;
  }
  return 0;
}

void halts_add_constraints(struct realiser *self, term_id (*seen)(struct realiser *self, uint32_t index)) {
  struct terms *terms = inputs_terms(self->inputs);
  for (uint32_t i = 0; i < self->cause.nodes.count; i++) {
    if (!spins(node_at(self, i))) continue;
    const term_id before = found_before(self, i), now = seen(self, i);
    if (!before || !now || term_at(terms, before)->width != term_at(terms, now)->width) continue;
    realiser_data_add_constraint(&self->work->data, term_make(terms, TERM_EQUAL, now, before, 0), i);
  }
}

void halts_add_needs(struct realiser *self) {
  for (uint32_t i = 0; i < self->cause.nodes.count; i++)
    if (spins(node_at(self, i)) && !parts_source(self->work->parts, self->cause.nodes.items[i]))
      add_need(self, i, NEED_WRITE, node_at(self, i)->object);
}
