/* SPDX-License-Identifier: MIT
 *
 * Constraint systems of scenarios. A scenario's nodes are numbered as its cause lists them, a point in time is a step.
 * What happens without a choice (creating, joining, ending a thread, leaving a barrier) happens right after the step
 * before it, so it orders the step before it with the one after it.
 *
 * First the order in time (realise_demands.c, realise_order.c), then the inputs, then the schedule.
 */
#include "explore/con2colic/realise.h"

#include "base/number_set.h"
#include "explore/con2colic/realise_halts.h"
#include "explore/con2colic/realise_internal.h"

#include <stdlib.h>

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
  const uint32_t write = realiser_local_write(self, read);
  if (write != NO_INDEX) return node_at(self, write)->term;
  const struct initial *initial = realiser_find_initial(self->initials, fork, node_at(self, read)->object);
  return initial ? initial->term : 0;
}

static bool is_read(const struct node *node) {
  return node->kind == NODE_ACCESS && node->flags & NODE_READS && node->symbol;
}

static void list_core(struct realiser *self) {
  const struct realiser_data *data = &self->work->data;
  self->core.count = 0;
  for (size_t i = 0; i < data->core_constraints.count; i++)
    vector_push(&self->core, self->cause.nodes.items[data->core_constraints.items[i]]);
}

/* Do the interferences alone exclude one of the branches? No order is asked for then, and nothing that is added to the
 * scenario helps: its other reads may see whatever they like. */
static bool contradicts_itself(struct realiser *self) {
  struct realiser_data *data = &self->work->data;
  realiser_data_start(data, self->inputs);
  for (size_t i = 0; i < self->work->parts->interferences.count; i++) {
    const struct interference *it = &self->work->parts->interferences.items[i];
    const struct node *read = forest_at(self->forest, it->target);
    if (is_read(read)) realiser_data_add_read(data, read->symbol, forest_at(self->forest, it->source)->term, 0, false);
  }
  for (uint32_t i = 0; i < self->cause.nodes.count; i++)
    if (node_at(self, i)->kind == NODE_BRANCH) realiser_data_add_constraint(data, node_at(self, i)->term, i);
  if (!realiser_data_has_contradiction(data)) return false;
  list_core(self);
  return true;
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
    if (is_read(node)) {
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
    list_core(self);
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

static bool waits_on(const struct realiser *self, uint32_t index, enum event_effect effect, uint64_t condition) {
  const struct node *node = node_at(self, index);
  return node_does(node, effect) && node->object == condition;
}

/* Threads that wait for the condition when the order has reached its place `end`. */
static void list_waiting(struct realiser *self, uint64_t condition, size_t end, node_list *waiting) {
  const struct precedence *precedence = self->work->precedence;
  waiting->count = 0;
  for (size_t i = 0; i < end; i++) {
    const uint32_t index = self->work->node_of.items[precedence->order.items[i]];
    if (index == NO_INDEX) continue;
    if (waits_on(self, index, EFFECT_WAITS, condition)) vector_push(waiting, node_at(self, index)->thread);
    if (waits_on(self, index, EFFECT_SIGNALS, condition)) alternative_of(self, index, waiting);
    if (waits_on(self, index, EFFECT_SIGNALS_ALL, condition)) waiting->count = 0;
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
    if (node_does(node, EFFECT_SIGNALS)) {
      list_waiting(self, node->object, i, &waiting);
      step.alternative = alternative_of(self, index, &waiting);
    }
    schedule_append(&self->schedule, &step, 1);
  }
  vector_free(&waiting);
}

/* --- tokens --- */

/* More waits without a post than the semaphore has tokens: any of them may get one. */
static bool lacks_tokens(struct realiser *self, uint64_t semaphore) {
  self->needs.count = 0;
  for (uint32_t i = 0; i < self->cause.nodes.count; i++)
    if (takes_token(node_at(self, i)) && node_at(self, i)->object == semaphore &&
        !parts_source(self->work->parts, self->cause.nodes.items[i]))
      add_need(self, i, NEED_POST, semaphore);
  return self->needs.count > tokens_of(self, semaphore);
}

static void look_for_tokens(struct realiser *self) {
  struct number_set looked_at = {0};
  bool lacks = false;
  for (uint32_t i = 0; i < self->cause.nodes.count && !lacks; i++)
    lacks = takes_token(node_at(self, i)) && number_set_add(&looked_at, node_at(self, i)->object) &&
            lacks_tokens(self, node_at(self, i)->object);
  if (!lacks) self->needs.count = 0;
  number_set_free(&looked_at);
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
  vector_free(&work->open);
  vector_free(&work->sorted);
  vector_free(&work->places);
  vector_free(&work->clashes);
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
  if (self->wants_cores && contradicts_itself(self)) return HAS_NO_INPUTS;
  if (!realiser_all_get_on(self)) return HAS_NO_ORDER;
  switch (realiser_check_order(self)) {
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
