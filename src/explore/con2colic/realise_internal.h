/* SPDX-License-Identifier: MIT
 *
 * What the files that make constraints of scenarios share (realise*.c): a scenario's nodes are numbered
 * as its cause lists them, a point in time is a step.
 */
#ifndef HEDDLE_EXPLORE_CON2COLIC_REALISE_INTERNAL_H
#define HEDDLE_EXPLORE_CON2COLIC_REALISE_INTERNAL_H

#include "explore/con2colic/realise.h"
#include "explore/con2colic/realise_data.h"
#include "model/object.h"

#include <time.h>

#define NO_INDEX UINT32_MAX

/* A critical section, or one that is open at the end of the thread's way. */
struct section {
  uint64_t lock;
  uint32_t way, taken, given; /* indices; `given` NO_INDEX: open */
  bool is_shared;
};

/* Two sections that overlap. */
struct clash {
  uint32_t a, b;
};

struct realiser_work {
  const struct scenario_parts *parts;
  struct precedence *precedence;
  VECTOR(point_id) at;       /* by index: the point of the step at it or before it in its thread */
  VECTOR(uint32_t) node_of;  /* by point: index; NO_INDEX: no step but the end of an open section */
  VECTOR(point_id) last;     /* by way: its last step */
  VECTOR(point_id) open_end; /* by way: after which its open sections are over */
  VECTOR(struct section) sections;
  VECTOR(uint32_t) open;        /* sections of the way at hand that are not over yet */
  VECTOR(uint32_t) sorted;      /* sections, by lock and by when they begin in the order */
  VECTOR(uint32_t) places;      /* by point: its place in the order */
  VECTOR(struct clash) clashes; /* of the order that was found last */
  VECTOR(uint32_t) writes;      /* indices, by variable */
  need_list groups;             /* group g is groups[g - 1] */
  enum { CERTAIN_UNKNOWN, CERTAIN_FOUND, CERTAIN_NONE } certain; /* what the precedence says of the last scenario */
  struct realiser_data data;
};

struct initial {
  node_id fork;
  uint64_t address;
  term_id term;
};

struct initial_table {
  VECTOR(struct initial) items;
  uint32_t *slots; /* of items by fork and address: 1 + index */
  size_t n_slots;
  VECTOR(struct initial) tokens; /* `term` is their number */
};

/* --- the scenario's nodes --- */

static inline const struct node *node_at(const struct realiser *self, uint32_t index) {
  return forest_at(self->forest, self->cause.nodes.items[index]);
}

/* NO_INDEX: it has no part in the scenario. */
static inline uint32_t index_of(const struct realiser *self, node_id node) {
  const struct node *it = forest_at(self->forest, node);
  const struct thread_way *way = cause_way(&self->cause, it->thread);
  if (!way || it->depth >= way->count || self->cause.nodes.items[way->first + it->depth] != node) return NO_INDEX;
  return way->first + it->depth;
}

static inline uint32_t way_of(const struct realiser *self, uint32_t index) {
  uint32_t way = 0;
  while (index - self->cause.ways.items[way].first >= self->cause.ways.items[way].count) way++;
  return way;
}

/* Is it an event that does this to its object? */
static inline bool node_does(const struct node *node, enum event_effect effect) {
  return node->kind == NODE_EVENT && kind_effect(node->event) == effect;
}

static inline bool node_reads(const struct node *node) {
  return (node->kind == NODE_ACCESS || node->kind == NODE_PENDING || node->kind == NODE_HALT) &&
         node->flags & NODE_READS;
}

static inline bool takes_token(const struct node *node) {
  return node_does(node, EFFECT_TAKES_TOKEN);
}

/* Which round of the barrier the thread is in there, from 1. */
static inline uint32_t round_at(const struct realiser *self, uint32_t index, uint64_t barrier) {
  uint32_t rounds = 0;
  const struct thread_way *way = &self->cause.ways.items[way_of(self, index)];
  for (uint32_t i = way->first; i <= index; i++)
    rounds += node_does(node_at(self, i), EFFECT_ARRIVES) && node_at(self, i)->object == barrier;
  return rounds;
}

static inline uint64_t tokens_of(const struct realiser *self, uint64_t semaphore) {
  for (size_t i = 0; i < self->initials->tokens.count; i++)
    if (self->initials->tokens.items[i].address == semaphore) return self->initials->tokens.items[i].term;
  return 0;
}

/* --- demands and needs --- */

static inline uint32_t new_group(struct realiser *self, node_id node, enum need_kind kind, uint64_t object) {
  vector_push(&self->work->groups, ((struct need){node, kind, object}));
  return (uint32_t)self->work->groups.count;
}

static inline void demand(struct realiser *self, point_id a, point_id b, uint32_t group) {
  if (a != NO_POINT && b != NO_POINT) precedence_demand(self->work->precedence, a, b, group);
}

static inline void add_need(struct realiser *self, uint32_t index, enum need_kind kind, uint64_t object) {
  vector_push(&self->needs, ((struct need){self->cause.nodes.items[index], kind, object}));
}

/* NULL: it is not known. */
struct initial *realiser_find_initial(const struct initial_table *table, node_id fork, uint64_t address);
/* The write that a read sees when no other thread interferes: the last one before it in its own thread; NO_INDEX: none.
 */
uint32_t realiser_local_write(const struct realiser *self, uint32_t read);
/* Where the writes of the variable begin among the sorted ones. */
size_t realiser_first_write(const struct realiser *self, uint64_t address);
void realiser_demand_all(struct realiser *self);
/* realise_locks.c: critical sections; what the open ones demand; those that overlap in the order that was found; that
 * they must not. */
void realiser_find_sections(struct realiser *self);
void realiser_end_sections(struct realiser *self);
bool realiser_find_clashes(struct realiser *self);
void realiser_demand_clashes(struct realiser *self);
enum answer realiser_check_order(struct realiser *self);
/* Does every loop that waits see something new? False: the needs say what it lacks. */
bool realiser_all_get_on(struct realiser *self);

static inline double now_seconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

#endif
