/* SPDX-License-Identifier: MIT
 *
 * Bounds for every term of a query: operands give bounds to a term, and what is known of a term gives bounds to its
 * operands; the constraints are 1. Rounds of both narrow the bounds of the inputs. If the bounds of some term
 * contradict each other there is no solution. Otherwise a few points in the box that is left are tried, and all of them
 * where they are few: then too there is an answer. The chain has this stage twice, the second time for boxes of more
 * points: all values of two bytes take less time than a hard query of Z3. When Z3 gives up, still more are tried.
 */
#include "solve/intervals.h"

#include <stdlib.h>

#define MOST_ROUNDS 6
#define MOST_TERMS 3000u /* of a query, beyond which it is passed on */
#define MANY_POINTS (1u << 17)
#define MANY_EVALUATIONS (1u << 22) /* of terms, for many points */
#define LAST_POINTS (1u << 24)      /* when Z3 has given up */
#define LAST_EVALUATIONS (1u << 27)

/* --- the terms of a query --- */

static void make_room(struct intervals *self) {
  const size_t count = terms_count(self->stage.terms) + 1;
  if (self->size >= count) return;
  self->boxes = memory_resize(self->boxes, 2 * count * sizeof *self->boxes);
  self->stamps = memory_resize(self->stamps, 2 * count * sizeof *self->stamps);
  for (size_t i = self->size; i < 2 * count; i++) self->stamps[i] = 0;
  self->size = 2 * count;
}

static void add_term(struct intervals *self, term_id id) {
  if (!id || self->stamps[id] == self->stamp) return;
  self->stamps[id] = self->stamp;
  const struct term *term = term_of(self, id);
  bits value;
  self->boxes[id] = all(term->width > WIDEST ? WIDEST : term->width);
  if (term->width <= WIDEST && term_is_constant(self->stage.terms, id, &value)) {
    const struct span fixed = {(signed_bits)value, (signed_bits)value};
    self->boxes[id].plain = fixed;
    reduce(&self->boxes[id], term->width);
  }
  vector_push(&self->order, id);
}

static void collect(struct intervals *self, const struct query *query) {
  make_room(self);
  self->stamp++;
  self->order.count = 0;
  for (size_t i = 0; i < query->count; i++) add_term(self, query->constraints[i]);
  if (query->target) add_term(self, query->target);
  for (size_t i = 0; i < self->order.count && i <= MOST_TERMS; i++) {
    const struct term *term = term_of(self, self->order.items[i]);
    if (has_operands(term))
      for (int k = 0; k < 3; k++) add_term(self, term->operands[k]);
  }
  if (self->order.count <= MOST_TERMS) self->order.count = sort_and_unite(self->order.items, self->order.count);
}

static bool is_followed(const struct intervals *self, const struct term *term) {
  if (!has_operands(term) || term->width > WIDEST) return false;
  for (int k = 0; k < 3 && term->operands[k]; k++)
    if (is_wide(self, term->operands[k])) return false;
  return true;
}

static void compute_all(struct intervals *self) {
  for (size_t i = 0; i < self->order.count && !self->empty; i++) {
    const struct term *term = term_of(self, self->order.items[i]);
    if (is_followed(self, term)) intervals_narrow(self, self->order.items[i], intervals_compute(self, term));
  }
}

static void ask_all(struct intervals *self) {
  for (size_t i = self->order.count; i-- > 0 && !self->empty;) {
    const struct term *term = term_of(self, self->order.items[i]);
    const struct box box = *box_at(self, self->order.items[i]);
    if (is_followed(self, term)) intervals_ask_operands(self, term, &box);
  }
}

static void propagate(struct intervals *self, const struct query *query) {
  self->empty = false;
  for (size_t i = 0; i < query->count; i++) intervals_set_bit(self, query->constraints[i], true);
  if (query->target) intervals_set_bit(self, query->target, true);
  self->changed = true;
  for (int round = 0; round < MOST_ROUNDS && self->changed && !self->empty; round++) {
    self->changed = false;
    compute_all(self);
    ask_all(self);
  }
}

static enum answer solve(struct stage *stage, const struct query *query, struct model *model) {
  struct intervals *self = (struct intervals *)stage;
  collect(self, query);
  if (self->order.count > MOST_TERMS) return stage_pass_on(stage, query, model);
  propagate(self, query);
  if (self->empty) return ANSWER_UNSATISFIABLE;
  query_inputs(stage->terms, query, &self->inputs);
  if (intervals_try_points(self, query, model)) return ANSWER_SATISFIABLE;
  if (intervals_have_few_points(self, self->most_points, MANY_EVALUATIONS))
    return intervals_try_all(self, query, model);
  const enum answer answer = stage_pass_on(stage, query, model);
  const bool is_last = self->most_points > FEW_POINTS;
  if (answer != ANSWER_UNKNOWN || !is_last || !intervals_have_few_points(self, LAST_POINTS, LAST_EVALUATIONS))
    return answer;
  return intervals_try_all(self, query, model);
}

static void destroy(struct stage *stage) {
  struct intervals *self = (struct intervals *)stage;
  vector_free(&self->order);
  vector_free(&self->inputs);
  vector_free(&self->points.places);
  vector_free(&self->points.values);
  free(self->boxes);
  free(self->stamps);
  free(self);
}

static struct stage *create(const struct stage_class *class, struct terms *terms, struct stage *next, uint32_t most) {
  struct intervals *self = memory_allocate(sizeof *self);
  self->stage = (struct stage){.class = class, .next = next, .terms = terms};
  self->most_points = most;
  return &self->stage;
}

struct stage *intervals_stage(struct terms *terms, struct stage *next) {
  static const struct stage_class class = {.name = "intervals", .solve = solve, .destroy = destroy};
  return create(&class, terms, next, FEW_POINTS);
}

struct stage *enumeration_stage(struct terms *terms, struct stage *next) {
  static const struct stage_class class = {.name = "enumeration", .solve = solve, .destroy = destroy};
  return create(&class, terms, next, MANY_POINTS);
}
