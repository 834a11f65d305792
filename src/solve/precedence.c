/* SPDX-License-Identifier: MIT
 *
 * Propagation of a partial order. clock[p][c] is how many points of chain c come before point p for certain, so whether
 * a comes before b is one comparison. Of a pair of demands, one that contradicts the order so far forces the other;
 * when nothing is forced any more, a pair that is open is tried both ways.
 *
 * Why an edge is there is a set of groups and of tries. Why a comes before b is found by following edges, so a
 * contradiction is explained; a try that its explanation does not mention need not be made the other way. Groups
 * above MOST_GROUPS share bits: a core may then have more groups than it needs.
 */
#include "solve/precedence.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

#define WORDS 4
#define MOST_GROUPS (64u * WORDS)
#define MANY_DEMANDS 1000
#define MOST_TRIES 200000u

struct reason {
  uint64_t groups[WORDS], tries[WORDS];
};

struct edge {
  point_id from, to;
  uint32_t next; /* of the same `from`, 1 + index, 0 none */
  struct reason reason;
};

struct precedence_search {
  VECTOR(uint32_t) clocks; /* by point and chain */
  VECTOR(uint32_t) first;  /* by point: 1 + its first edge */
  VECTOR(struct edge) edges;
  VECTOR(point_id) stack;
  VECTOR(uint32_t) saved;        /* clocks, a block per try */
  VECTOR(uint32_t) visited, via; /* by point, for explanations */
  uint32_t visit;
  uint32_t last;   /* the chain that comes as late as it can */
  bool is_certain; /* only what holds anyway counts: group 0 */
  uint32_t tries;
  bool gave_up;
};

/* --- reasons --- */

static void reason_unite(struct reason *to, const struct reason *from) {
  for (int i = 0; i < WORDS; i++) {
    to->groups[i] |= from->groups[i];
    to->tries[i] |= from->tries[i];
  }
}

static void reason_add_group(struct reason *reason, uint32_t group) {
  if (group == 0) return;
  const uint32_t bit = (group - 1) % MOST_GROUPS;
  reason->groups[bit / 64] |= 1ull << bit % 64;
}

static bool reason_has_group(const struct reason *reason, uint32_t group) {
  const uint32_t bit = (group - 1) % MOST_GROUPS;
  return reason->groups[bit / 64] >> bit % 64 & 1;
}

/* Tries that are nested deeper have no bit: they are made both ways. */
static bool try_has_bit(uint32_t depth) {
  return depth < 64u * WORDS;
}

/* --- the order so far --- */

static uint32_t *clock_of(const struct precedence *self, point_id point) {
  return &self->search->clocks.items[(size_t)point * self->n_chains];
}

static bool is_before(const struct precedence *self, point_id a, point_id b) {
  const struct precedence_point *point = &self->points.items[a];
  return clock_of(self, b)[point->chain] > point->place;
}

static point_id next_in_chain(const struct precedence *self, point_id point) {
  const struct precedence_point *p = &self->points.items[point];
  return p->place + 1 < self->chains.items[p->chain].count ? self->chains.items[p->chain].items[p->place + 1]
                                                           : NO_POINT;
}

static void follow(struct precedence *self, point_id from, point_id to) {
  uint32_t *target = clock_of(self, to);
  const uint32_t *source = clock_of(self, from);
  const struct precedence_point *point = &self->points.items[from];
  bool grew = false;
  for (uint32_t c = 0; c < self->n_chains; c++) {
    const uint32_t count = c == point->chain ? point->place + 1 : source[c];
    if (count <= target[c]) continue;
    target[c] = count;
    grew = true;
  }
  if (grew) vector_push(&self->search->stack, to);
}

static void add_edge(struct precedence *self, point_id from, point_id to, const struct reason *reason) {
  struct precedence_search *search = self->search;
  const struct edge edge = {from, to, search->first.items[from], *reason};
  vector_push(&search->edges, edge);
  search->first.items[from] = (uint32_t)search->edges.count;
  search->stack.count = 0;
  follow(self, from, to);
  while (search->stack.count > 0) {
    const point_id point = search->stack.items[--search->stack.count];
    const point_id next = next_in_chain(self, point);
    if (next != NO_POINT) follow(self, point, next);
    for (uint32_t e = search->first.items[point]; e; e = search->edges.items[e - 1].next)
      follow(self, point, search->edges.items[e - 1].to);
  }
}

/* Adds why a comes before b, which it does. `via` is how a point was come to: 1 + an edge, 0 from before it in its
 * chain. */
static void explain(struct precedence *self, point_id a, point_id b, struct reason *reason) {
  struct precedence_search *search = self->search;
  search->visit++;
  search->stack.count = 0;
  vector_push(&search->stack, a);
  search->visited.items[a] = search->visit;
  for (size_t i = 0; i < search->stack.count && search->visited.items[b] != search->visit; i++) {
    const point_id point = search->stack.items[i];
    const point_id next = next_in_chain(self, point);
    if (next != NO_POINT && search->visited.items[next] != search->visit && (next == b || is_before(self, next, b))) {
      search->visited.items[next] = search->visit;
      search->via.items[next] = 0;
      vector_push(&search->stack, next);
    }
    for (uint32_t e = search->first.items[point]; e; e = search->edges.items[e - 1].next) {
      const point_id to = search->edges.items[e - 1].to;
      if (search->visited.items[to] == search->visit || !(to == b || is_before(self, to, b))) continue;
      search->visited.items[to] = search->visit;
      search->via.items[to] = e;
      vector_push(&search->stack, to);
    }
  }
  BUG_ON(search->visited.items[b] != search->visit);
  for (point_id point = b; point != a;) {
    const uint32_t e = search->via.items[point];
    const struct precedence_point *p = &self->points.items[point];
    if (e) reason_unite(reason, &search->edges.items[e - 1].reason);
    point = e ? search->edges.items[e - 1].from : self->chains.items[p->chain].items[p->place - 1];
  }
}

/* --- orders --- */

static bool is_ready(const struct precedence *self, point_id point, const uint32_t *done) {
  const uint32_t *clock = clock_of(self, point);
  for (uint32_t c = 0; c < self->n_chains; c++)
    if (clock[c] > done[c]) return false;
  return true;
}

/* The chain to continue with: the present one while it can, the last one when no other can. */
static uint32_t next_chain(const struct precedence *self, const uint32_t *done, uint32_t present, uint32_t last) {
  uint32_t found = UINT32_MAX;
  for (uint32_t i = 0; i <= self->n_chains; i++) {
    const uint32_t c = i == 0 ? present : i - 1;
    if (c >= self->n_chains || done[c] == self->chains.items[c].count) continue;
    if (!is_ready(self, self->chains.items[c].items[done[c]], done)) continue;
    if (c != last) return c;
    found = c;
  }
  return found;
}

static void make_order(struct precedence *self) {
  uint32_t *done = memory_allocate((self->n_chains + 1) * sizeof *done);
  uint32_t present = UINT32_MAX;
  self->order.count = 0;
  while (self->order.count < self->points.count) {
    present = next_chain(self, done, present, self->search->last);
    BUG_ON(present == UINT32_MAX);
    vector_push(&self->order, self->chains.items[present].items[done[present]++]);
  }
  free(done);
}

bool precedence_holds(const struct precedence *self) {
  uint32_t *place = memory_allocate((self->points.count + 1) * sizeof *place);
  bool good = self->order.count == self->points.count;
  for (size_t i = 0; i < self->order.count; i++) place[self->order.items[i]] = (uint32_t)i;
  for (uint32_t c = 0; c < self->n_chains; c++)
    for (size_t i = 1; i < self->chains.items[c].count; i++)
      good &= place[self->chains.items[c].items[i - 1]] < place[self->chains.items[c].items[i]];
  for (size_t i = 0; i < self->demands.count; i++) {
    const struct precedence_demand *demand = &self->demands.items[i];
    good &= place[demand->a] < place[demand->b] || (demand->c != NO_POINT && place[demand->c] < place[demand->d]);
  }
  free(place);
  return good;
}

/* --- search --- */

enum outcome { OUTCOME_HOLDS, OUTCOME_OPEN, OUTCOME_FORCED, OUTCOME_CONTRADICTION };

static bool is_impossible(const struct precedence *self, point_id a, point_id b) {
  return a == b || is_before(self, b, a);
}

static void explain_impossible(struct precedence *self, point_id a, point_id b, struct reason *reason) {
  if (a != b) explain(self, b, a, reason);
}

/* Makes a demand that has only one way left hold. */
static enum outcome propagate_demand(struct precedence *self, const struct precedence_demand *demand,
                                     struct reason *why) {
  const bool has_second = demand->c != NO_POINT;
  if (is_before(self, demand->a, demand->b)) return OUTCOME_HOLDS;
  if (has_second && is_before(self, demand->c, demand->d)) return OUTCOME_HOLDS;
  const bool first_fails = is_impossible(self, demand->a, demand->b);
  const bool second_fails = !has_second || is_impossible(self, demand->c, demand->d);
  if (!first_fails && !second_fails) return OUTCOME_OPEN;
  struct reason reason = {0};
  reason_add_group(&reason, demand->group);
  if (first_fails) explain_impossible(self, demand->a, demand->b, &reason);
  if (second_fails && has_second) explain_impossible(self, demand->c, demand->d, &reason);
  if (first_fails && second_fails) {
    *why = reason;
    return OUTCOME_CONTRADICTION;
  }
  if (first_fails)
    add_edge(self, demand->c, demand->d, &reason);
  else
    add_edge(self, demand->a, demand->b, &reason);
  return OUTCOME_FORCED;
}

/* False: a contradiction, *why. *open is a demand with both ways left, or NULL. */
static bool propagate(struct precedence *self, const struct precedence_demand **open, struct reason *why) {
  for (bool changed = true; changed;) {
    changed = false;
    *open = NULL;
    for (size_t i = 0; i < self->demands.count; i++) {
      const struct precedence_demand *demand = &self->demands.items[i];
      if (demand->group && self->search->is_certain) continue;
      switch (propagate_demand(self, demand, why)) {
      case OUTCOME_CONTRADICTION: return false;
      case OUTCOME_FORCED: changed = true; break;
      case OUTCOME_OPEN:
        if (!*open) *open = demand;
        break;
      case OUTCOME_HOLDS: break;
      }
    }
  }
  return true;
}

static void save(struct precedence *self) {
  struct precedence_search *search = self->search;
  for (size_t i = 0; i < search->clocks.count; i++) vector_push(&search->saved, search->clocks.items[i]);
}

static void restore(struct precedence *self, size_t n_edges) {
  struct precedence_search *search = self->search;
  const size_t size = search->clocks.count;
  for (; search->edges.count > n_edges; search->edges.count--) {
    const struct edge *edge = &search->edges.items[search->edges.count - 1];
    search->first.items[edge->from] = edge->next;
  }
  if (size == 0) return;
  memcpy(search->clocks.items, &search->saved.items[search->saved.count - size], size * sizeof(uint32_t));
  search->saved.count -= size;
}

static bool search_from(struct precedence *self, uint32_t depth, struct reason *why);

/* A try goes through all demands: where there are many, each looks at the clock. */
static bool is_over(const struct precedence *self) {
  return self->demands.count > MANY_DEMANDS ? deadline_is_over_now(self->deadline) : deadline_is_over(self->deadline);
}

/* One way of an open demand, then the other. */
static bool try_both(struct precedence *self, const struct precedence_demand *demand, uint32_t depth,
                     struct reason *why) {
  struct precedence_search *search = self->search;
  struct reason reason = {0}, failure = {0};
  const size_t n_edges = search->edges.count;
  if (++search->tries > MOST_TRIES || is_over(self)) {
    search->gave_up = true;
    return false;
  }
  if (try_has_bit(depth)) reason.tries[depth / 64] = 1ull << depth % 64;
  save(self);
  add_edge(self, demand->a, demand->b, &reason);
  if (search_from(self, depth + 1, &failure)) return true;
  restore(self, n_edges);
  if (search->gave_up) return false;
  if (try_has_bit(depth)) {
    if (!(failure.tries[depth / 64] >> depth % 64 & 1)) {
      *why = failure;
      return false;
    }
    failure.tries[depth / 64] &= ~(1ull << depth % 64);
  }
  reason_add_group(&failure, demand->group);
  add_edge(self, demand->c, demand->d, &failure);
  return search_from(self, depth, why);
}

/* An order that the certain part allows may do, although demands are open. */
static bool search_from(struct precedence *self, uint32_t depth, struct reason *why) {
  const struct precedence_demand *open;
  if (!propagate(self, &open, why)) return false;
  make_order(self);
  return !open || precedence_holds(self) || try_both(self, open, depth, why);
}

/* --- answers --- */

static void start_search(struct precedence *self) {
  struct precedence_search *search = self->search;
  search->clocks.count = search->first.count = search->edges.count = search->saved.count = 0;
  search->visited.count = search->via.count = 0;
  search->visit = search->tries = 0;
  search->gave_up = search->is_certain = false;
  for (size_t p = 0; p < self->points.count; p++) {
    const struct precedence_point *point = &self->points.items[p];
    for (uint32_t c = 0; c < self->n_chains; c++) vector_push(&search->clocks, c == point->chain ? point->place : 0);
    vector_push(&search->first, 0);
    vector_push(&search->visited, 0);
    vector_push(&search->via, 0);
  }
}

void precedence_clear_core(struct precedence *self) {
  self->core.count = self->order.count = 0;
  for (uint32_t g = 0; g <= self->n_groups; g++) vector_push(&self->core, false);
}

enum answer precedence_solve(struct precedence *self, uint32_t last) {
  struct reason why = {0};
  precedence_clear_core(self);
  start_search(self);
  self->search->last = last;
  if (search_from(self, 0, &why)) return ANSWER_SATISFIABLE;
  self->order.count = 0;
  if (self->search->gave_up) return ANSWER_UNKNOWN;
  for (uint32_t g = 1; g <= self->n_groups; g++) self->core.items[g] = reason_has_group(&why, g);
  return ANSWER_UNSATISFIABLE;
}

bool precedence_find_certain(struct precedence *self) {
  const struct precedence_demand *open;
  struct reason why;
  start_search(self);
  self->search->is_certain = true;
  return propagate(self, &open, &why);
}

bool precedence_is_certain(const struct precedence *self, point_id a, point_id b) {
  return is_before(self, a, b);
}

/* --- questions --- */

struct precedence *precedence_create(void) {
  struct precedence *self = memory_allocate(sizeof *self);
  self->search = memory_allocate(sizeof *self->search);
  return self;
}

void precedence_search_free(struct precedence_search *search) {
  vector_free(&search->clocks);
  vector_free(&search->first);
  vector_free(&search->edges);
  vector_free(&search->stack);
  vector_free(&search->saved);
  vector_free(&search->visited);
  vector_free(&search->via);
  free(search);
}

void precedence_destroy(struct precedence *self) {
  precedence_search_free(self->search);
  if (self->z3) precedence_z3_free(self->z3);
  for (size_t c = 0; c < self->chains.count; c++) vector_free(&self->chains.items[c]);
  vector_free(&self->chains);
  vector_free(&self->points);
  vector_free(&self->demands);
  vector_free(&self->core);
  vector_free(&self->order);
  free(self);
}

void precedence_start(struct precedence *self, uint32_t n_chains) {
  self->points.count = self->demands.count = 0;
  self->n_groups = 0;
  self->n_chains = n_chains;
  while (self->chains.count < n_chains) vector_push(&self->chains, (point_list){0});
  for (uint32_t c = 0; c < n_chains; c++) self->chains.items[c].count = 0;
}

point_id precedence_add_point(struct precedence *self, uint32_t chain) {
  const point_id id = (point_id)self->points.count;
  const struct precedence_point point = {chain, (uint32_t)self->chains.items[chain].count};
  vector_push(&self->points, point);
  vector_push(&self->chains.items[chain], id);
  return id;
}

static void add_demand(struct precedence *self, struct precedence_demand demand) {
  if (demand.group > self->n_groups) self->n_groups = demand.group;
  vector_push(&self->demands, demand);
}

void precedence_demand(struct precedence *self, point_id a, point_id b, uint32_t group) {
  add_demand(self, (struct precedence_demand){a, b, NO_POINT, NO_POINT, group});
}

void precedence_demand_either(struct precedence *self, point_id a, point_id b, point_id c, point_id d, uint32_t group) {
  add_demand(self, (struct precedence_demand){a, b, c, d, group});
}
