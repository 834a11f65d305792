/* SPDX-License-Identifier: MIT
 *
 * What a scenario demands of the order in time: points for its steps, and what its locks, reads, waits and joins say
 * about them.
 *
 * Demands in time whose group is not 0 can be got rid of by adding something to the scenario: a local read's by an
 * interference, those of a lock that is not given back by letting its thread continue.
 */
#include "explore/con2colic/realise_halts.h"
#include "explore/con2colic/realise_internal.h"

#include <stdlib.h>

/* --- the scenario's nodes --- */

/* The first step of the thread after the index; NO_POINT: none. */
static point_id next_step(const struct realiser *self, uint32_t index) {
  const struct thread_way *way = &self->cause.ways.items[way_of(self, index)];
  for (uint32_t i = index + 1; i < way->first + way->count; i++)
    if (node_at(self, i)->flags & NODE_STEP) return self->work->at.items[i];
  return NO_POINT;
}

static bool writes(const struct node *node) {
  return node->kind == NODE_ACCESS && node->flags & NODE_WRITES;
}

/* --- points --- */

static void add_points(struct realiser *self) {
  struct realiser_work *work = self->work;
  work->at.count = work->node_of.count = work->last.count = work->open_end.count = 0;
  precedence_start(work->precedence, (uint32_t)self->cause.ways.count);
  for (uint32_t w = 0; w < self->cause.ways.count; w++) {
    const struct thread_way *way = &self->cause.ways.items[w];
    point_id point = NO_POINT;
    for (uint32_t i = way->first; i < way->first + way->count; i++) {
      if (node_at(self, i)->flags & NODE_STEP) {
        point = precedence_add_point(work->precedence, w);
        vector_push(&work->node_of, i);
      }
      vector_push(&work->at, point);
    }
    vector_push(&work->last, point);
    vector_push(&work->open_end, NO_POINT);
  }
}

static void demand_creation(struct realiser *self) {
  for (uint32_t w = 0; w < self->cause.ways.count; w++) {
    const uint32_t start = self->cause.ways.items[w].first;
    const node_id fork = node_at(self, start)->parent;
    if (fork) demand(self, self->work->at.items[index_of(self, fork)], next_step(self, start), 0);
  }
}

/* --- reads and writes --- */

static int compare_writes(const void *a, const void *b, void *context) {
  const struct realiser *self = context;
  const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  const uint64_t p = node_at(self, x)->object, q = node_at(self, y)->object;
  if (p != q) return p < q ? -1 : 1;
  return (x > y) - (x < y);
}

static void list_writes(struct realiser *self) {
  struct realiser_work *work = self->work;
  work->writes.count = 0;
  for (uint32_t i = 0; i < self->cause.nodes.count; i++)
    if (writes(node_at(self, i))) vector_push(&work->writes, i);
  if (work->writes.count > 1)
    qsort_r(work->writes.items, work->writes.count, sizeof *work->writes.items, compare_writes, self);
}

size_t realiser_first_write(const struct realiser *self, uint64_t address) {
  size_t low = 0, high = self->work->writes.count;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (node_at(self, self->work->writes.items[middle])->object < address)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* The write that a read sees when no other thread interferes: the last one before it in its own thread. NO_INDEX: none.
 */
uint32_t realiser_local_write(const struct realiser *self, uint32_t read) {
  const struct thread_way *way = &self->cause.ways.items[way_of(self, read)];
  const uint64_t address = node_at(self, read)->object;
  uint32_t found = NO_INDEX;
  for (size_t i = realiser_first_write(self, address); i < self->work->writes.count; i++) {
    const uint32_t write = self->work->writes.items[i];
    if (node_at(self, write)->object != address) break;
    if (write >= way->first && write < read) found = write;
  }
  return found;
}

/* No other write comes between `source` (NO_INDEX: the start) and the read. */
static void demand_nothing_between(struct realiser *self, uint32_t read, uint32_t source, uint32_t write,
                                   uint32_t group) {
  struct realiser_work *work = self->work;
  const uint32_t own = way_of(self, read), other = way_of(self, write);
  const point_id at = work->at.items[read], at_write = work->at.items[write];
  if (other == own && write >= read) return; /* an update writes what it read */
  if (source == NO_INDEX) {
    demand(self, at, at_write, group);
    return;
  }
  const point_id at_source = work->at.items[source];
  if (other == way_of(self, source)) {
    if (write > source) demand(self, at, at_write, group);
  } else if (other == own) {
    demand(self, at_write, at_source, group);
  } else {
    precedence_demand_either(work->precedence, at_write, at_source, at, at_write, group);
  }
}

static bool overlaps(const struct node *pending, const struct node *write) {
  return write->object < pending->object + pending->size && pending->object < write->object + write->size;
}

static void demand_read(struct realiser *self, uint32_t read) {
  struct realiser_work *work = self->work;
  const struct node *node = node_at(self, read);
  const node_id id = self->cause.nodes.items[read];
  const node_id source_node = parts_source(work->parts, id);
  const bool is_pending = node->kind == NODE_PENDING;
  const uint32_t source = source_node  ? index_of(self, source_node)
                          : is_pending ? NO_INDEX
                                       : realiser_local_write(self, read);
  const uint32_t group = source_node ? 0 : new_group(self, id, NEED_WRITE, node->object);
  const point_id at = work->at.items[read];
  if (source_node) demand(self, work->at.items[source], at, 0);
  const uint64_t address = source_node ? node_at(self, source)->object : node->object;
  if (is_pending && !source_node) {
    for (size_t i = 0; i < work->writes.count; i++) {
      const uint32_t write = work->writes.items[i];
      if (overlaps(node, node_at(self, write)) && way_of(self, write) != way_of(self, read))
        demand(self, at, work->at.items[write], group);
    }
    return;
  }
  for (size_t i = realiser_first_write(self, address); i < work->writes.count; i++) {
    const uint32_t write = work->writes.items[i];
    if (node_at(self, write)->object != address) break;
    if (write != source) demand_nothing_between(self, read, source, write, group);
  }
}

/* --- other events --- */

/* The wait that a wake-up ends. */
static uint32_t wait_before(const struct realiser *self, uint32_t wake) {
  uint32_t i = wake;
  do i--;
  while (node_at(self, i)->kind != NODE_START && kind_effect(node_at(self, i)->event) != EFFECT_WAITS);
  return i;
}

static void demand_wake(struct realiser *self, uint32_t wake) {
  const node_id source = parts_source(self->work->parts, self->cause.nodes.items[wake]);
  if (!source) {
    add_need(self, wake, NEED_SIGNAL, node_at(self, wake)->object);
    return;
  }
  const point_id at = self->work->at.items[index_of(self, source)];
  demand(self, self->work->at.items[wait_before(self, wake)], at, 0);
  demand(self, at, self->work->at.items[wake], 0);
}

/* Did the thread have the lock itself? */
static bool has_lock_at(const struct realiser *self, uint32_t index, uint64_t lock) {
  const uint32_t way = way_of(self, index);
  for (size_t i = 0; i < self->work->sections.count; i++) {
    const struct section *section = &self->work->sections.items[i];
    if (section->way == way && section->lock == lock && section->taken < index && section->given > index) return true;
  }
  return false;
}

/* The lock was another thread's when the attempt was made, or the thread's own. */
static void demand_failure(struct realiser *self, uint32_t attempt) {
  struct realiser_work *work = self->work;
  const node_id source = parts_source(work->parts, self->cause.nodes.items[attempt]);
  if (!source && has_lock_at(self, attempt, node_at(self, attempt)->object)) return;
  if (!source) {
    add_need(self, attempt, NEED_HOLDER, node_at(self, attempt)->object);
    return;
  }
  const uint32_t taken = index_of(self, source);
  demand(self, work->at.items[taken], work->at.items[attempt], 0);
  for (size_t i = 0; i < work->sections.count; i++)
    if (work->sections.items[i].taken == taken && work->sections.items[i].given != NO_INDEX)
      demand(self, work->at.items[attempt], work->at.items[work->sections.items[i].given], 0);
}

static void demand_tokens(struct realiser *self, uint32_t wait) {
  const node_id source = parts_source(self->work->parts, self->cause.nodes.items[wait]);
  if (source) demand(self, self->work->at.items[index_of(self, source)], self->work->at.items[wait], 0);
}

/* Only one thread does it; the others come after its end. */
static void demand_once(struct realiser *self, uint32_t enter) {
  struct realiser_work *work = self->work;
  const node_id source = parts_source(work->parts, self->cause.nodes.items[enter]);
  const struct node *node = node_at(self, enter);
  if (node->value && !source) add_need(self, enter, NEED_DONE, node->object);
  if (node->value && source) demand(self, work->at.items[index_of(self, source)], work->at.items[enter], 0);
  for (uint32_t i = 0; i < enter && !node->value; i++) {
    const struct node *other = node_at(self, i);
    if (node_does(other, EFFECT_ENTERS) && other->object == node->object && !other->value)
      demand(self, work->at.items[enter], work->at.items[enter], 0);
  }
}

/* The wait that takes the post's token; NO_INDEX: none. */
static uint32_t taker_of(const struct realiser *self, uint32_t post) {
  const struct scenario_parts *parts = self->work->parts;
  for (size_t i = 0; i < parts->interferences.count; i++)
    if (parts->interferences.items[i].source == self->cause.nodes.items[post])
      return index_of(self, parts->interferences.items[i].target);
  return NO_INDEX;
}

/* All tokens are taken when the attempt fails: those at first, and those of posts before it. A wait that the scenario
 * gives no post takes a token of those at first, and comes before the attempt, unless it gets one. */
static void demand_empty(struct realiser *self, uint32_t attempt) {
  struct realiser_work *work = self->work;
  const uint64_t semaphore = node_at(self, attempt)->object;
  const point_id at = work->at.items[attempt];
  uint64_t taken = 0;
  for (uint32_t i = 0; i < self->cause.nodes.count; i++) {
    const struct node *node = node_at(self, i);
    if (node->kind != NODE_EVENT || node->object != semaphore) continue;
    if (takes_token(node) && !parts_source(work->parts, self->cause.nodes.items[i])) {
      demand(self, work->at.items[i], at, new_group(self, self->cause.nodes.items[i], NEED_POST, semaphore));
      taken++;
    }
    if (!node_does(node, EFFECT_GIVES_TOKEN)) continue;
    const uint32_t taker = taker_of(self, i);
    if (taker == NO_INDEX)
      demand(self, at, work->at.items[i], new_group(self, self->cause.nodes.items[attempt], NEED_TAKER, semaphore));
    else
      precedence_demand_either(work->precedence, at, work->at.items[i], work->at.items[taker], at, 0);
  }
  if (taken < tokens_of(self, semaphore)) add_need(self, attempt, NEED_TAKER, semaphore);
}

/* The thread's arrival at the barrier in the round; NO_INDEX: it does not get there. */
static uint32_t arrival_of(const struct realiser *self, const struct thread_way *way, uint64_t barrier,
                           uint32_t round) {
  for (uint32_t i = way->first; i < way->first + way->count; i++)
    if (node_does(node_at(self, i), EFFECT_ARRIVES) && node_at(self, i)->object == barrier && --round == 0) return i;
  return NO_INDEX;
}

/* All arrivals of the round come before what follows. */
static void demand_arrivals(struct realiser *self, uint32_t leaves) {
  const uint64_t barrier = node_at(self, leaves)->object;
  const uint32_t round = round_at(self, leaves, barrier), own = way_of(self, leaves);
  const point_id next = next_step(self, leaves);
  uint32_t arrived = 0, needed = 1;
  for (uint32_t w = 0; w < self->cause.ways.count; w++) {
    const uint32_t i = round ? arrival_of(self, &self->cause.ways.items[w], barrier, round) : NO_INDEX;
    if (i == NO_INDEX) continue;
    arrived++;
    needed = node_at(self, i)->size;
    if (w != own) demand(self, self->work->at.items[i], next, 0);
  }
  if (arrived < needed) add_need(self, leaves, NEED_ARRIVAL, barrier);
}

static void demand_end(struct realiser *self, uint32_t join) {
  const struct thread_way *way = cause_way(&self->cause, (thread_id)node_at(self, join)->object);
  if (!way || forest_at(self->forest, way->leaf)->kind != NODE_END) {
    add_need(self, join, NEED_END, node_at(self, join)->object);
    return;
  }
  demand(self, self->work->at.items[way->first + way->count - 1], next_step(self, join), 0);
}

/* The operation comes after the other thread's. */
static void demand_after(struct realiser *self, uint32_t i) {
  const node_id source = parts_source(self->work->parts, self->cause.nodes.items[i]);
  if (source) demand(self, self->work->at.items[index_of(self, source)], self->work->at.items[i], 0);
}

static bool failed_to_get_token(const struct node *node) {
  return node_does(node, EFFECT_FAILS) && kind_class(node->event) == CLASS_SEMAPHORE;
}

static void demand_event(struct realiser *self, uint32_t i) {
  const struct node *node = node_at(self, i);
  if (node_reads(node)) demand_read(self, i);
  if (node->kind == NODE_JOIN) demand_end(self, i);
  if (node->kind == NODE_HALT) halt_demand(self, i);
  if (node->kind == NODE_AFTER) demand_after(self, i);
  if (node->kind != NODE_EVENT) return;
  const enum lock_use use = node_lock_use(node);
  if (node_does(node, EFFECT_RELOCKS)) demand_wake(self, i);
  if (use == LOCK_FAILS || use == LOCK_FAILS_SHARED) demand_failure(self, i);
  if (takes_token(node)) demand_tokens(self, i);
  if (node_does(node, EFFECT_LEAVES)) demand_arrivals(self, i);
  if (node_does(node, EFFECT_ENTERS)) demand_once(self, i);
  if (failed_to_get_token(node)) demand_empty(self, i);
}

/* --- all of them --- */

/* Does the sink belong to the last step of its thread, without anything in between that waits for others? */
static bool sink_is_in_step(const struct realiser *self) {
  const struct thread_way *way = &self->cause.ways.items[0];
  for (uint32_t i = way->first + way->count; i-- > way->first;) {
    const struct node *node = node_at(self, i);
    if (node->kind != NODE_PENDING && node->kind != NODE_ACCESS && node->kind != NODE_BRANCH) return false;
    if (node->flags & NODE_STEP) return true;
  }
  return false;
}

/* What an operation that no run has performed writes is not known, nor what an exchange does after its decision: it
 * comes last. That excludes nothing, since all else is there for what comes before it. */
static void demand_sink_last(struct realiser *self) {
  if (!sink_is_in_step(self)) return;
  for (uint32_t w = 1; w < self->cause.ways.count; w++)
    demand(self, self->work->last.items[w], self->work->last.items[0], 0);
}

void realiser_demand_all(struct realiser *self) {
  add_points(self);
  list_writes(self);
  demand_creation(self);
  demand_sink_last(self);
  realiser_find_sections(self);
  for (uint32_t i = 0; i < self->cause.nodes.count; i++) demand_event(self, i);
  realiser_end_sections(self);
}
