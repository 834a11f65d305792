/* SPDX-License-Identifier: MIT
 *
 * Is there an order in time that satisfies a scenario's demands? If not, a core of them says what the scenario lacks.
 * Loops that wait must get on, and nothing may end the run before the scenario is over.
 */
#include "explore/con2colic/realise_halts.h"
#include "explore/con2colic/realise_internal.h"

#include <stdlib.h>

#define LARGEST_CORE_TO_SHRINK 24

/* --- asking --- */

static enum answer ask_solvers(struct realiser *self) {
  struct precedence *precedence = self->work->precedence;
  if (!self->checks) return self->uses_z3 ? precedence_solve_z3(precedence, 0) : precedence_solve(precedence, 0);
  const enum answer other = self->uses_z3 ? precedence_solve(precedence, 0) : precedence_solve_z3(precedence, 0);
  const enum answer answer = self->uses_z3 ? precedence_solve_z3(precedence, 0) : precedence_solve(precedence, 0);
  self->disagreements += answer != other && answer != ANSWER_UNKNOWN && other != ANSWER_UNKNOWN;
  return answer;
}

/* Until no critical sections overlap. */
static enum answer ask_order(struct realiser *self) {
  self->order_questions++;
  for (;;) {
    const enum answer answer = ask_solvers(self);
    if (answer != ANSWER_SATISFIABLE || !realiser_find_clashes(self)) return answer;
    realiser_demand_clashes(self);
  }
}

/* The same, without the demands of the group and of those that are not in the core. */
static enum answer ask_without(struct realiser *self, const bool *core, uint32_t group) {
  struct precedence *precedence = self->work->precedence;
  for (;;) {
    const size_t count = precedence->demands.count;
    size_t kept = 0; /* those that count are in front */
    for (size_t i = 0; i < count; i++) {
      const struct precedence_demand item = precedence->demands.items[i];
      if (item.group && (item.group == group || !core[item.group])) continue;
      precedence->demands.items[i] = precedence->demands.items[kept];
      precedence->demands.items[kept++] = item;
    }
    precedence->demands.count = kept;
    const enum answer answer = precedence_solve(precedence, 0);
    precedence->demands.count = count;
    if (answer != ANSWER_SATISFIABLE || !realiser_find_clashes(self)) return answer;
    realiser_demand_clashes(self);
  }
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
  for (uint32_t g = 1; g < core.count && size > 0 && size <= LARGEST_CORE_TO_SHRINK; g++) {
    if (!core.items[g] || ask_without(self, core.items, g) != ANSWER_UNSATISFIABLE) continue;
    size = 0;
    for (size_t k = 0; k < core.count; k++) size += core.items[k] = precedence->core.items[k] && core.items[k];
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
    if (node_reads(node_at(self, i)) && node_at(self, i)->object == variable) return i;
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
    if (node_reads(node_at(self, i)) && sees_something_else(self, i)) return true;
  self->needs.count = 0;
  for (uint32_t i = round; i < parked; i++)
    if (node_reads(node_at(self, i)) && !parts_source(self->work->parts, self->cause.nodes.items[i]))
      add_need(self, i, NEED_WRITE, node_at(self, i)->object);
  return false;
}

bool realiser_all_get_on(struct realiser *self) {
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

/* The run ends right after the step, or after the start (NO_POINT): it is the last of all. */
static void demand_last(struct realiser *self, uint32_t way, point_id end) {
  for (uint32_t w = 0; w < self->cause.ways.count; w++) {
    const point_id last = self->work->last.items[w];
    if (last == NO_POINT || (w == way && last == end)) continue;
    precedence_demand(self->work->precedence, last, end == NO_POINT ? last : end, 0);
  }
}

/* A thread that is created in the scenario and has no part in it still continues to its first step. */
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

/* --- sources that the order excludes --- */

static bool has_certain(struct realiser *self) {
  struct realiser_work *work = self->work;
  if (work->certain == CERTAIN_UNKNOWN)
    work->certain = precedence_find_certain(work->precedence) ? CERTAIN_FOUND : CERTAIN_NONE;
  return work->certain == CERTAIN_FOUND;
}

static bool is_certain(const struct realiser *self, point_id a, point_id b) {
  return a != NO_POINT && b != NO_POINT && precedence_is_certain(self->work->precedence, a, b);
}

/* Another write comes after the one at `source` and before the read. */
static bool is_overwritten(const struct realiser *self, uint32_t source, uint32_t read) {
  const struct realiser_work *work = self->work;
  const uint64_t address = node_at(self, source)->object;
  for (size_t i = realiser_first_write(self, address); i < work->writes.count; i++) {
    const uint32_t write = work->writes.items[i];
    if (node_at(self, write)->object != address) return false;
    if (is_certain(self, work->at.items[source], work->at.items[write]) &&
        is_certain(self, work->at.items[write], work->at.items[read]))
      return true;
  }
  return false;
}

bool realiser_excludes(struct realiser *self, node_id read, node_id write) {
  const struct realiser_work *work = self->work;
  const uint32_t at = index_of(self, read), source = index_of(self, write);
  const struct thread_way *way = cause_way(&self->cause, forest_at(self->forest, write)->thread);
  if (at == NO_INDEX || !way || forest_at(self->forest, read)->kind != NODE_ACCESS || !has_certain(self)) return false;
  const point_id last = work->last.items[way - self->cause.ways.items];
  if (source == NO_INDEX) return is_certain(self, work->at.items[at], last); /* it is still further on its way */
  return is_certain(self, work->at.items[at], work->at.items[source]) || is_overwritten(self, source, at);
}

enum answer realiser_check_order(struct realiser *self) {
  const double start = now_seconds();
  self->work->groups.count = 0;
  self->work->certain = CERTAIN_UNKNOWN;
  realiser_demand_all(self);
  realiser_data_start(&self->work->data, self->inputs);
  demand_no_end(self);
  const bool can_halt = self->needs.count > 0 || halts_close(self);
  const enum answer answer = can_halt ? ask_order(self) : ANSWER_UNSATISFIABLE;
  if (can_halt && answer == ANSWER_UNSATISFIABLE) needs_from_core(self);
  self->order_seconds += now_seconds() - start;
  return answer;
}
