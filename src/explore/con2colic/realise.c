/* SPDX-License-Identifier: MIT
 *
 * Constraint systems of scenarios. A scenario's nodes are numbered as its cause lists them, a point in time is a step.
 * What happens without a choice (creating, joining, ending a thread, leaving a barrier) happens right behind the step
 * before it, so it orders the step before it with the one behind it.
 *
 * Demands in time whose group is not 0 can be got rid of by adding something to the scenario: a local read's by an
 * interference, those of a lock that is not given back by letting its thread go on.
 */
#include "explore/con2colic/realise.h"

#include "base/error.h"
#include "base/number_set.h"
#include "explore/con2colic/realise_halts.h"
#include "explore/con2colic/realise_internal.h"

#include <stdlib.h>
#include <time.h>

#define LARGEST_CORE_TO_SHRINK 24

/* --- what is known at first --- */

/* Where it is, or would be. */
static uint32_t *initial_slot(const struct initial_table *table, node_id fork, uint64_t address) {
  size_t at = hash_mix(address, fork) & (table->n_slots - 1);
  for (; table->slots[at]; at = (at + 1) & (table->n_slots - 1)) {
    const struct initial *item = &table->items.items[table->slots[at] - 1];
    if (item->address == address && item->fork == fork) break;
  }
  return &table->slots[at];
}

static void enlarge_initials(struct initial_table *table) {
  free(table->slots);
  table->n_slots = table->n_slots ? 2 * table->n_slots : 64;
  table->slots = memory_allocate(table->n_slots * sizeof *table->slots);
  for (size_t i = 0; i < table->items.count; i++)
    *initial_slot(table, table->items.items[i].fork, table->items.items[i].address) = (uint32_t)i + 1;
}

static struct initial *find_initial(const struct initial_table *table, node_id fork, uint64_t address) {
  if (table->n_slots == 0) return NULL;
  const uint32_t slot = *initial_slot(table, fork, address);
  return slot ? &table->items.items[slot - 1] : NULL;
}

void realiser_learn_initial(struct realiser *self, node_id fork, uint64_t address, term_id term) {
  if (find_initial(self->initials, fork, address)) return;
  vector_push(&self->initials->items, ((struct initial){fork, address, term}));
  if (2 * self->initials->items.count > self->initials->n_slots)
    enlarge_initials(self->initials);
  else
    *initial_slot(self->initials, fork, address) = (uint32_t)self->initials->items.count;
}

void realiser_learn_tokens(struct realiser *self, uint64_t semaphore, uint64_t tokens) {
  for (size_t i = 0; i < self->initials->tokens.count; i++)
    if (self->initials->tokens.items[i].address == semaphore) return;
  vector_push(&self->initials->tokens, ((struct initial){0, semaphore, (term_id)tokens}));
}

/* --- events --- */

enum lock_use node_lock_use(const struct node *node) {
  if (node->kind != NODE_EVENT || node->flags & NODE_NESTED) return LOCK_NONE;
  switch (node->event) {
  case EVENT_MUTEX_LOCK:
  case EVENT_MUTEX_TRYLOCK_DONE:
  case EVENT_CONDITION_WAKE:
  case EVENT_SPINLOCK_LOCK:
  case EVENT_SPINLOCK_TRYLOCK_DONE:
  case EVENT_RWLOCK_WRITE:
  case EVENT_RWLOCK_TRYWRITE_DONE: return LOCK_TAKES;
  case EVENT_RWLOCK_READ:
  case EVENT_RWLOCK_TRYREAD_DONE: return LOCK_TAKES_SHARED;
  case EVENT_MUTEX_UNLOCK:
  case EVENT_CONDITION_WAIT:
  case EVENT_SPINLOCK_UNLOCK:
  case EVENT_RWLOCK_READ_UNLOCK:
  case EVENT_RWLOCK_WRITE_UNLOCK: return LOCK_GIVES;
  case EVENT_MUTEX_TRYLOCK_FAILED:
  case EVENT_SPINLOCK_TRYLOCK_FAILED:
  case EVENT_RWLOCK_TRYWRITE_FAILED: return LOCK_FAILS;
  case EVENT_RWLOCK_TRYREAD_FAILED: return LOCK_FAILS_SHARED;
  default: return LOCK_NONE;
  }
}

uint64_t node_lock(const struct forest *forest, node_id id) {
  const struct node *node = forest_at(forest, id);
  if (node->event == EVENT_CONDITION_WAIT) return node->value;
  if (node->event != EVENT_CONDITION_WAKE) return node->object;
  for (node_id before = node->parent; forest_at(forest, before)->kind != NODE_START;
       before = forest_at(forest, before)->parent)
    if (forest_at(forest, before)->kind == NODE_EVENT && forest_at(forest, before)->event == EVENT_CONDITION_WAIT)
      return forest_at(forest, before)->value;
  return 0;
}

bool node_is_modelled(const struct node *node) {
  if (node->kind != NODE_EVENT || node_lock_use(node) != LOCK_NONE || node->flags & NODE_NESTED) return true;
  switch (node->event) {
  case EVENT_FREE:
  case EVENT_FRAME_END:
  case EVENT_INITIALISE:
  case EVENT_DESTROY:
  case EVENT_CONDITION_SIGNAL:
  case EVENT_CONDITION_BROADCAST:
  case EVENT_SEMAPHORE_WAIT:
  case EVENT_SEMAPHORE_TRYWAIT_DONE:
  case EVENT_SEMAPHORE_TRYWAIT_FAILED:
  case EVENT_SEMAPHORE_POST:
  case EVENT_RWLOCK_WRITE_QUEUE:
  case EVENT_BARRIER_ARRIVE:
  case EVENT_BARRIER_LEAVE:
  case EVENT_SECTION_ENTER:
  case EVENT_SECTION_LEAVE:
  case EVENT_ONCE_ENTER:
  case EVENT_ONCE_LEAVE:
  case EVENT_PROCESS_EXIT:
  case EVENT_RUN_END: return true;
  default: return false;
  }
}

/* --- the scenario's nodes --- */

/* The first step of the thread behind the index; NO_POINT: none. */
static point_id next_step(const struct realiser *self, uint32_t index) {
  const struct thread_way *way = &self->cause.ways.items[way_of(self, index)];
  for (uint32_t i = index + 1; i < way->first + way->count; i++)
    if (node_at(self, i)->flags & NODE_STEP) return self->work->at.items[i];
  return NO_POINT;
}

static bool reads(const struct node *node) {
  return (node->kind == NODE_ACCESS || node->kind == NODE_PENDING || node->kind == NODE_HALT) &&
         node->flags & NODE_READS;
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

/* --- locks --- */

static struct section *open_section(struct realiser *self, uint32_t way, uint64_t lock) {
  for (size_t i = self->work->sections.count; i-- > 0;) {
    struct section *section = &self->work->sections.items[i];
    if (section->way == way && section->lock == lock && section->given == NO_INDEX) return section;
  }
  return NULL;
}

/* A thread that has such a lock cannot take it once more; where a mutex can be, NODE_NESTED says so. */
static bool excludes_itself(const struct node *node) {
  switch (node->event) {
  case EVENT_MUTEX_LOCK:
  case EVENT_MUTEX_TRYLOCK_DONE:
  case EVENT_SPINLOCK_LOCK:
  case EVENT_SPINLOCK_TRYLOCK_DONE:
  case EVENT_RWLOCK_TRYWRITE_DONE: return true;
  default: return false;
  }
}

static void demand_never(struct realiser *self, uint32_t index) {
  demand(self, self->work->at.items[index], self->work->at.items[index], 0);
}

static void find_sections(struct realiser *self) {
  self->work->sections.count = 0;
  for (uint32_t w = 0; w < self->cause.ways.count; w++) {
    const struct thread_way *way = &self->cause.ways.items[w];
    for (uint32_t i = way->first; i < way->first + way->count; i++) {
      const enum lock_use use = node_lock_use(node_at(self, i));
      if (use != LOCK_TAKES && use != LOCK_TAKES_SHARED && use != LOCK_GIVES) continue;
      const uint64_t lock = node_lock(self->forest, self->cause.nodes.items[i]);
      struct section *open = open_section(self, w, lock);
      if (use == LOCK_GIVES && open) open->given = i;
      if (use != LOCK_GIVES && open && excludes_itself(node_at(self, i))) demand_never(self, i);
      if (use == LOCK_GIVES || open) continue;
      vector_push(&self->work->sections, ((struct section){lock, w, i, NO_INDEX, use == LOCK_TAKES_SHARED}));
    }
  }
}

/* Open sections of a thread end behind all that the scenario has; for any thread that may go on that can be changed. */
static void add_open_end(struct realiser *self, const struct section *section) {
  struct realiser_work *work = self->work;
  if (work->open_end.items[section->way] == NO_POINT) {
    work->open_end.items[section->way] = precedence_add_point(work->precedence, section->way);
    vector_push(&work->node_of, NO_INDEX);
  }
  const node_id leaf = self->cause.ways.items[section->way].leaf;
  const bool is_last = section->way == 0 || node_is_last(forest_at(self->forest, leaf));
  const uint32_t group = is_last ? 0 : new_group(self, leaf, NEED_RELEASE, section->lock);
  for (uint32_t w = 0; w < self->cause.ways.count; w++)
    if (w != section->way) demand(self, work->last.items[w], work->open_end.items[section->way], group);
}

static point_id end_of(const struct realiser *self, const struct section *section) {
  return section->given == NO_INDEX ? self->work->open_end.items[section->way] : self->work->at.items[section->given];
}

/* Is there a section of another thread that has to do with it? Open ones need an end only then. */
static bool is_contended(const struct realiser *self, const struct section *section) {
  for (size_t i = 0; i < self->work->sections.count; i++) {
    const struct section *other = &self->work->sections.items[i];
    if (other->lock == section->lock && other->way != section->way && !(other->is_shared && section->is_shared))
      return true;
  }
  return false;
}

static void demand_exclusion(struct realiser *self) {
  struct realiser_work *work = self->work;
  for (size_t i = 0; i < work->sections.count; i++) {
    const struct section *section = &work->sections.items[i];
    if (section->given == NO_INDEX && is_contended(self, section)) add_open_end(self, section);
  }
  for (size_t i = 0; i < work->sections.count; i++)
    for (size_t k = i + 1; k < work->sections.count; k++) {
      const struct section *a = &work->sections.items[i], *b = &work->sections.items[k];
      if (a->lock != b->lock || a->way == b->way || (a->is_shared && b->is_shared)) continue;
      precedence_demand_either(work->precedence, end_of(self, a), work->at.items[b->taken], end_of(self, b),
                               work->at.items[a->taken], 0);
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

/* Where the writes of the variable begin among the sorted ones. */
static size_t first_write(const struct realiser *self, uint64_t address) {
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
static uint32_t local_write(const struct realiser *self, uint32_t read) {
  const struct thread_way *way = &self->cause.ways.items[way_of(self, read)];
  const uint64_t address = node_at(self, read)->object;
  uint32_t found = NO_INDEX;
  for (size_t i = first_write(self, address); i < self->work->writes.count; i++) {
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
  const uint32_t source = source_node ? index_of(self, source_node) : is_pending ? NO_INDEX : local_write(self, read);
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
  for (size_t i = first_write(self, address); i < work->writes.count; i++) {
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
  while (node_at(self, i)->kind != NODE_START && node_at(self, i)->event != EVENT_CONDITION_WAIT);
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

/* Only one thread does it; the others come behind its end. */
static void demand_once(struct realiser *self, uint32_t enter) {
  struct realiser_work *work = self->work;
  const node_id source = parts_source(work->parts, self->cause.nodes.items[enter]);
  const struct node *node = node_at(self, enter);
  if (node->value && !source) add_need(self, enter, NEED_DONE, node->object);
  if (node->value && source) demand(self, work->at.items[index_of(self, source)], work->at.items[enter], 0);
  for (uint32_t i = 0; i < enter && !node->value; i++) {
    const struct node *other = node_at(self, i);
    if (other->kind == NODE_EVENT && other->event == EVENT_ONCE_ENTER && other->object == node->object && !other->value)
      demand_never(self, enter);
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
    if (node->event != EVENT_SEMAPHORE_POST) continue;
    const uint32_t taker = taker_of(self, i);
    if (taker == NO_INDEX)
      demand(self, at, work->at.items[i], new_group(self, self->cause.nodes.items[attempt], NEED_TAKER, semaphore));
    else
      precedence_demand_either(work->precedence, at, work->at.items[i], work->at.items[taker], at, 0);
  }
  if (taken < tokens_of(self, semaphore)) add_need(self, attempt, NEED_TAKER, semaphore);
}

/* More waits without a post than the semaphore has tokens: any of them may get one. */
static void look_for_tokens(struct realiser *self) {
  for (uint32_t i = 0; i < self->cause.nodes.count; i++) {
    const struct node *node = node_at(self, i);
    if (!takes_token(node)) continue;
    const size_t before = self->needs.count;
    uint64_t waits = 0;
    for (uint32_t k = 0; k < self->cause.nodes.count; k++)
      if (takes_token(node_at(self, k)) && node_at(self, k)->object == node->object &&
          !parts_source(self->work->parts, self->cause.nodes.items[k])) {
        waits++;
        add_need(self, k, NEED_POST, node->object);
      }
    if (waits > tokens_of(self, node->object)) return;
    self->needs.count = before;
  }
}

/* All arrivals of the round come before what follows. */
static void demand_arrivals(struct realiser *self, uint32_t leaves) {
  const uint64_t barrier = node_at(self, leaves)->object;
  const uint32_t round = round_at(self, leaves, barrier), own = way_of(self, leaves);
  const point_id next = next_step(self, leaves);
  uint32_t arrived = 0, needed = 1;
  for (uint32_t i = 0; i < self->cause.nodes.count; i++) {
    const struct node *node = node_at(self, i);
    if (node->kind != NODE_EVENT || node->event != EVENT_BARRIER_ARRIVE || node->object != barrier) continue;
    if (round_at(self, i, barrier) != round) continue;
    arrived++;
    needed = node->size;
    if (way_of(self, i) != own) demand(self, self->work->at.items[i], next, 0);
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

static void demand_event(struct realiser *self, uint32_t i) {
  const struct node *node = node_at(self, i);
  if (reads(node)) demand_read(self, i);
  if (node->kind == NODE_JOIN) demand_end(self, i);
  if (node->kind == NODE_HALT) halt_demand(self, i);
  if (node->kind == NODE_AFTER) demand_after(self, i);
  if (node->kind != NODE_EVENT) return;
  const enum lock_use use = node_lock_use(node);
  if (node->event == EVENT_CONDITION_WAKE) demand_wake(self, i);
  if (use == LOCK_FAILS || use == LOCK_FAILS_SHARED) demand_failure(self, i);
  if (takes_token(node)) demand_tokens(self, i);
  if (node->event == EVENT_BARRIER_LEAVE) demand_arrivals(self, i);
  if (node->event == EVENT_ONCE_ENTER) demand_once(self, i);
  if (node->event == EVENT_SEMAPHORE_TRYWAIT_FAILED) demand_empty(self, i);
}

/* --- order --- */

static double now_seconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static enum answer ask_order(struct realiser *self) {
  struct precedence *precedence = self->work->precedence;
  self->order_questions++;
  if (!self->checks) return self->uses_z3 ? precedence_solve_z3(precedence, 0) : precedence_solve(precedence, 0);
  const enum answer other = self->uses_z3 ? precedence_solve(precedence, 0) : precedence_solve_z3(precedence, 0);
  const enum answer answer = self->uses_z3 ? precedence_solve_z3(precedence, 0) : precedence_solve(precedence, 0);
  self->disagreements += answer != other && answer != ANSWER_UNKNOWN && other != ANSWER_UNKNOWN;
  return answer;
}

/* Leaves groups out of the core one by one where the others do. */
static void shrink_core(struct realiser *self) {
  struct precedence *precedence = self->work->precedence;
  VECTOR(bool) core = {0};
  size_t size = 0;
  for (size_t g = 0; g < precedence->core.count; g++) {
    vector_push(&core, precedence->core.items[g]);
    size += precedence->core.items[g];
  }
  const size_t count = precedence->demands.count;
  for (size_t g = 1; g < core.count && size > 1 && size <= LARGEST_CORE_TO_SHRINK; g++) {
    if (!core.items[g]) continue;
    /* Those that count are kept in front. */
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
      const struct precedence_demand item = precedence->demands.items[i];
      if (item.group && (item.group == g || !core.items[item.group])) continue;
      precedence->demands.items[i] = precedence->demands.items[kept];
      precedence->demands.items[kept++] = item;
    }
    precedence->demands.count = kept;
    if (precedence_solve(precedence, 0) == ANSWER_UNSATISFIABLE) {
      size = 0;
      for (size_t k = 0; k < core.count; k++) size += core.items[k] = precedence->core.items[k] && core.items[k];
    }
    precedence->demands.count = count;
  }
  precedence_clear_core(precedence);
  for (size_t g = 0; g < core.count; g++) precedence->core.items[g] = core.items[g];
  vector_free(&core);
}

/* Who takes a post's token may also be somebody who is there already and has none of a post. */
static void add_takers(struct realiser *self, uint64_t semaphore) {
  for (uint32_t i = 0; i < self->cause.nodes.count; i++)
    if (takes_token(node_at(self, i)) && node_at(self, i)->object == semaphore &&
        !parts_source(self->work->parts, self->cause.nodes.items[i]))
      add_need(self, i, NEED_POST, semaphore);
}

static void needs_from_core(struct realiser *self) {
  struct precedence *precedence = self->work->precedence;
  self->needs.count = 0;
  if (self->wants_cores) shrink_core(self);
  for (size_t g = 1; g <= self->work->groups.count; g++)
    if (!self->wants_cores || (g < precedence->core.count && precedence->core.items[g]))
      vector_push(&self->needs, self->work->groups.items[g - 1]);
  const size_t count = self->needs.count;
  for (size_t i = 0; i < count; i++)
    if (self->needs.items[i].kind == NEED_TAKER) add_takers(self, self->needs.items[i].object);
}

/* --- loops that wait --- */

/* The thread's read of the variable before this one; NO_INDEX: none. */
static uint32_t read_before(const struct realiser *self, uint32_t read, uint64_t variable) {
  const uint32_t first = self->cause.ways.items[way_of(self, read)].first;
  for (uint32_t i = read; i-- > first;)
    if (reads(node_at(self, i)) && node_at(self, i)->object == variable) return i;
  return NO_INDEX;
}

/* Does the read see another write than the one of the same variable before it? */
static bool sees_something_else(const struct realiser *self, uint32_t read) {
  const uint32_t before = read_before(self, read, node_at(self, read)->object);
  if (before == NO_INDEX) return true;
  const node_id source = parts_source(self->work->parts, self->cause.nodes.items[read]);
  return source != parts_source(self->work->parts, self->cause.nodes.items[before]);
}

/* A thread that waits in a loop, and has seen the same in two rounds, is where it was: a third one leads nowhere.
 * False: there is such a round, and the needs are its local reads. */
static bool gets_on(struct realiser *self, uint32_t parked) {
  const uint32_t first = self->cause.ways.items[way_of(self, parked)].first;
  const struct node *node = node_at(self, parked);
  uint32_t round = parked;
  while (round > first) {
    const struct node *before = node_at(self, --round);
    if (before->flags & NODE_WRITES) return true;
    if (before->flags & NODE_PARKED && before->object == node->object && before->site == node->site) break;
  }
  if (round == first) return true;
  for (uint32_t i = round; i < parked; i++)
    if (reads(node_at(self, i)) && sees_something_else(self, i)) return true;
  self->needs.count = 0;
  for (uint32_t i = round; i < parked; i++)
    if (reads(node_at(self, i)) && !parts_source(self->work->parts, self->cause.nodes.items[i]))
      add_need(self, i, NEED_WRITE, node_at(self, i)->object);
  return false;
}

static bool all_get_on(struct realiser *self) {
  for (uint32_t i = 0; i < self->cause.nodes.count; i++)
    if (node_at(self, i)->flags & NODE_PARKED && !gets_on(self, i)) return false;
  return true;
}

/* --- ends of the run --- */

/* Adds that the thread, and those it creates, do not go from the node, without a step, to where they end the run:
 * `so_far` is what holds on the way, 0 nothing yet. False: one goes there in any case. */
static bool avoid_ends(struct realiser *self, node_id node, term_id so_far, uint32_t index) {
  struct terms *terms = inputs_terms(self->inputs);
  if (forest_at(self->forest, node)->is_fatal) {
    if (!so_far) return false;
    realiser_data_add_constraint(&self->work->data, term_not(terms, so_far), index);
    return true;
  }
  bool good = true;
  for (node_id id = forest_at(self->forest, node)->child; id && good; id = forest_at(self->forest, id)->sibling) {
    const struct node *child = forest_at(self->forest, id);
    if (child->kind == NODE_JOIN || child->flags & NODE_STEP || !(child->flags & NODE_REALISED)) continue;
    if (child->kind == NODE_START && cause_way(&self->cause, child->thread)) continue;
    term_id holds = so_far;
    if (child->kind == NODE_BRANCH && child->event == DECISION_GIVEN)
      realiser_data_add_constraint(
          &self->work->data, so_far ? term_make(terms, TERM_OR, term_not(terms, so_far), child->term, 0) : child->term,
          index);
    else if (child->kind == NODE_BRANCH)
      holds = so_far ? term_make(terms, TERM_AND, so_far, child->term, 0) : child->term;
    good = avoid_ends(self, id, holds, index);
  }
  return good;
}

/* The run ends right behind the step, or behind the start (NO_POINT): it is the last of all. */
static void demand_last(struct realiser *self, uint32_t way, point_id end) {
  for (uint32_t w = 0; w < self->cause.ways.count; w++) {
    const point_id last = self->work->last.items[w];
    if (last == NO_POINT || (w == way && last == end)) continue;
    precedence_demand(self->work->precedence, last, end == NO_POINT ? last : end, 0);
  }
}

/* A thread that is created in the scenario and has no part in it still goes on to its first step. */
static node_id idle_start(const struct realiser *self, uint32_t index) {
  const struct node *node = node_at(self, index);
  if (node->kind != NODE_FORK || cause_way(&self->cause, (thread_id)node->object)) return 0;
  for (node_id id = node->child; id; id = forest_at(self->forest, id)->sibling)
    if (forest_at(self->forest, id)->kind == NODE_START) return id;
  return 0;
}

/* Nothing that threads do without being chosen ends the run before the scenario is over. */
static void demand_no_end(struct realiser *self) {
  if (!self->forest->has_fatal) return;
  for (uint32_t w = 0; w < self->cause.ways.count; w++) {
    const struct thread_way *way = &self->cause.ways.items[w];
    for (uint32_t i = way->first; i < way->first + way->count; i++) {
      const node_id idle = idle_start(self, i);
      if (idle && !avoid_ends(self, idle, 0, way->first)) demand_last(self, w, self->work->at.items[i]);
    }
    if (w > 0 && !avoid_ends(self, way->leaf, 0, way->first)) demand_last(self, w, self->work->last.items[w]);
  }
}

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

/* What an operation that no run has performed writes is not known, nor what an exchange does behind its decision: it
 * comes last. That excludes nothing, since all else is there for what comes before it. */
static void demand_sink_last(struct realiser *self) {
  if (!sink_is_in_step(self)) return;
  for (uint32_t w = 1; w < self->cause.ways.count; w++)
    demand(self, self->work->last.items[w], self->work->last.items[0], 0);
}

static enum answer check_order(struct realiser *self) {
  const double start = now_seconds();
  self->work->groups.count = 0;
  add_points(self);
  list_writes(self);
  demand_creation(self);
  demand_sink_last(self);
  find_sections(self);
  for (uint32_t i = 0; i < self->cause.nodes.count; i++) demand_event(self, i);
  demand_exclusion(self);
  realiser_data_start(&self->work->data, self->inputs);
  demand_no_end(self);
  const bool can_halt = self->needs.count > 0 || halts_close(self);
  const enum answer answer = can_halt ? ask_order(self) : ANSWER_UNSATISFIABLE;
  if (can_halt && answer == ANSWER_UNSATISFIABLE) needs_from_core(self);
  self->order_seconds += now_seconds() - start;
  return answer;
}

/* --- data --- */

static node_id first_fork(const struct realiser *self) {
  const struct thread_way *way = cause_way(&self->cause, 0);
  for (uint32_t i = 0; way && i < way->count; i++)
    if (node_at(self, way->first + i)->kind == NODE_FORK) return self->cause.nodes.items[way->first + i];
  return 0;
}

/* What the read sees as a term over the symbols of the thread that wrote it; 0: not known. */
static term_id seen_by(struct realiser *self, uint32_t read, node_id fork, bool *is_local) {
  const node_id source = parts_source(self->work->parts, self->cause.nodes.items[read]);
  *is_local = !source;
  if (source) return forest_at(self->forest, source)->term;
  const uint32_t write = local_write(self, read);
  if (write != NO_INDEX) return node_at(self, write)->term;
  const struct initial *initial = find_initial(self->initials, fork, node_at(self, read)->object);
  return initial ? initial->term : 0;
}

static term_id seen_at_halt(struct realiser *self, uint32_t halt) {
  bool is_local;
  return seen_by(self, halt, first_fork(self), &is_local);
}

static enum answer check_data(struct realiser *self, const struct values *hint) {
  const double start = now_seconds();
  struct realiser_data *data = &self->work->data;
  const node_id fork = first_fork(self);
  for (uint32_t i = 0; i < self->cause.nodes.count; i++) {
    const struct node *node = node_at(self, i);
    bool is_local;
    if (node->kind == NODE_ACCESS && node->flags & NODE_READS && node->symbol) {
      const term_id seen = seen_by(self, i, fork, &is_local);
      realiser_data_add_read(data, node->symbol, seen, i, is_local);
    }
    if (node->kind == NODE_BRANCH) realiser_data_add_constraint(data, node->term, i);
  }
  halts_add_constraints(self, seen_at_halt);
  self->data_questions++;
  const enum answer answer = realiser_data_solve(data, hint, self->wants_cores, &self->values);
  self->needs.count = answer == ANSWER_UNSATISFIABLE ? 0 : self->needs.count;
  self->core.count = 0;
  if (answer == ANSWER_UNSATISFIABLE) {
    for (size_t i = 0; i < data->core_reads.count; i++)
      add_need(self, data->core_reads.items[i], NEED_WRITE, node_at(self, data->core_reads.items[i])->object);
    for (size_t i = 0; i < data->core_constraints.count; i++)
      vector_push(&self->core, self->cause.nodes.items[data->core_constraints.items[i]]);
    halts_add_needs(self);
    if (!self->wants_cores)
      for (size_t g = 0; g < self->work->groups.count; g++)
        if (self->work->groups.items[g].kind == NEED_RELEASE) vector_push(&self->needs, self->work->groups.items[g]);
  }
  self->data_seconds += now_seconds() - start;
  return answer;
}

/* --- schedule --- */

/* Which of the threads that wait the signal wakes: its place among them. Those are in `waiting`. */
static uint16_t alternative_of(struct realiser *self, uint32_t signal, node_list *waiting) {
  const node_id id = self->cause.nodes.items[signal];
  uint16_t place = 0;
  for (size_t i = 0; i < self->work->parts->interferences.count; i++) {
    const struct interference *it = &self->work->parts->interferences.items[i];
    if (it->source != id) continue;
    const thread_id woken = forest_at(self->forest, it->target)->thread;
    for (size_t k = 0; k < waiting->count; k++) place += waiting->items[k] < woken;
    for (size_t k = 0; k < waiting->count; k++)
      if (waiting->items[k] == woken) waiting->items[k] = waiting->items[--waiting->count];
    return place;
  }
  if (waiting->count > 0) waiting->items[0] = waiting->items[--waiting->count];
  return 0;
}

static bool waits_on(const struct realiser *self, uint32_t index, uint8_t event, uint64_t condition) {
  const struct node *node = node_at(self, index);
  return node->kind == NODE_EVENT && node->event == event && node->object == condition;
}

/* Threads that wait for the condition when the order has come to its place `end`. */
static void list_waiting(struct realiser *self, uint64_t condition, size_t end, node_list *waiting) {
  const struct precedence *precedence = self->work->precedence;
  waiting->count = 0;
  for (size_t i = 0; i < end; i++) {
    const uint32_t index = self->work->node_of.items[precedence->order.items[i]];
    if (index == NO_INDEX) continue;
    if (waits_on(self, index, EVENT_CONDITION_WAIT, condition)) vector_push(waiting, node_at(self, index)->thread);
    if (waits_on(self, index, EVENT_CONDITION_SIGNAL, condition)) alternative_of(self, index, waiting);
    if (waits_on(self, index, EVENT_CONDITION_BROADCAST, condition)) waiting->count = 0;
  }
}

static void make_schedule(struct realiser *self) {
  const struct precedence *precedence = self->work->precedence;
  node_list waiting = {0};
  self->schedule.count = 0;
  for (size_t i = 0; i < precedence->order.count; i++) {
    const uint32_t index = self->work->node_of.items[precedence->order.items[i]];
    if (index == NO_INDEX || node_at(self, index)->kind == NODE_HALT) continue;
    const struct node *node = node_at(self, index);
    struct step step = {node->thread, node->alternative};
    if (node->kind == NODE_EVENT && node->event == EVENT_CONDITION_SIGNAL) {
      list_waiting(self, node->object, i, &waiting);
      step.alternative = alternative_of(self, index, &waiting);
    }
    schedule_append(&self->schedule, &step, 1);
  }
  vector_free(&waiting);
}

/* --- the whole --- */

struct realiser *realiser_create(struct forest *forest, struct inputs *inputs, struct deadline *deadline) {
  struct realiser *self = memory_allocate(sizeof *self);
  self->forest = forest;
  self->inputs = inputs;
  self->wants_cores = true;
  self->initials = memory_allocate(sizeof *self->initials);
  self->work = memory_allocate(sizeof *self->work);
  self->work->precedence = precedence_create();
  self->work->precedence->deadline = deadline;
  return self;
}

void realiser_destroy(struct realiser *self) {
  struct realiser_work *work = self->work;
  precedence_destroy(work->precedence);
  vector_free(&work->at);
  vector_free(&work->node_of);
  vector_free(&work->last);
  vector_free(&work->open_end);
  vector_free(&work->sections);
  vector_free(&work->writes);
  vector_free(&work->groups);
  realiser_data_free(&work->data);
  free(work);
  vector_free(&self->initials->items);
  vector_free(&self->initials->tokens);
  free(self->initials->slots);
  free(self->initials);
  cause_free(&self->cause);
  vector_free(&self->needs);
  vector_free(&self->core);
  vector_free(&self->schedule);
  values_release(self->values);
  free(self);
}

/* False: its parts are not compatible. */
static bool make_cause(struct realiser *self, const struct scenario_parts *parts) {
  cause_start(&self->cause, self->forest, parts->sink);
  for (size_t i = 0; i < parts->interferences.count; i++)
    if (!cause_merge(&self->cause, self->forest, parts->interferences.items[i].source)) return false;
  for (size_t i = 0; i < parts->tails.count; i++)
    if (!cause_merge(&self->cause, self->forest, parts->tails.items[i])) return false;
  cause_list_nodes(&self->cause, self->forest);
  return true;
}

enum realisability realiser_check(struct realiser *self, const struct scenario_parts *parts,
                                  const struct values *hint) {
  self->needs.count = self->core.count = 0;
  values_release(self->values);
  self->values = NULL;
  self->work->parts = parts;
  if (!make_cause(self, parts)) return HAS_NO_ORDER;
  if (!all_get_on(self)) return HAS_NO_ORDER;
  switch (check_order(self)) {
  case ANSWER_UNSATISFIABLE: return HAS_NO_ORDER;
  case ANSWER_UNKNOWN: return IS_UNKNOWN;
  case ANSWER_SATISFIABLE: break;
  }
  switch (check_data(self, hint)) {
  case ANSWER_UNSATISFIABLE: return HAS_NO_INPUTS;
  case ANSWER_UNKNOWN: return IS_UNKNOWN;
  case ANSWER_SATISFIABLE: break;
  }
  if (self->needs.count == 0) look_for_tokens(self);
  if (self->needs.count > 0) {
    /* The first one, or the semaphore's, of which one will do. */
    if (self->needs.items[0].kind != NEED_POST) self->needs.count = 1;
    return LACKS_SOMETHING;
  }
  make_schedule(self);
  return IS_REALISABLE;
}
