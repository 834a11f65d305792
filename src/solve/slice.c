/* SPDX-License-Identifier: MIT
 *
 * Second stage: only the constraints that are connected to the target through common inputs matter; the hint solves the
 * others, and their inputs keep its values. Afterwards conjunctions are split, the target is an ordinary constraint,
 * the constraints are sorted and each is there once, so that equal queries look equal to the cache.
 *
 * One pass over the constraints lists, per input, those that depend on it; then the target's inputs are followed. The
 * time is linear in the constraints and their inputs.
 */
#include "solve/internal.h"

#include <stdlib.h>

#define NONE UINT32_MAX

/* An entry of the list of one input's constraints. */
struct use {
  uint32_t constraint, next;
};

struct slice {
  struct stage stage;
  VECTOR(term_id) kept;
  VECTOR(term_id) focus;
  VECTOR(term_id) parts;  /* of a conjunction */
  VECTOR(uint32_t) first; /* by input: its first use, NONE */
  VECTOR(struct use) uses;
  VECTOR(bool) taken;       /* by constraint */
  VECTOR(uint32_t) reached; /* constraints whose inputs are still to be followed */
};

/* Adds the parts of a conjunction that are not always 1; false if one is always 0. */
static bool keep(struct slice *self, term_id constraint, bool is_target) {
  self->parts.count = 0;
  vector_push(&self->parts, constraint);
  while (self->parts.count > 0) {
    const term_id part = self->parts.items[--self->parts.count];
    const struct term *term = term_at(self->stage.terms, part);
    bits value;
    if (term_is_constant(self->stage.terms, part, &value)) {
      if (value != 1) return false;
    } else if (term->kind == TERM_AND) {
      vector_push(&self->parts, term->operands[0]);
      vector_push(&self->parts, term->operands[1]);
    } else {
      vector_push(&self->kept, part);
      if (is_target) vector_push(&self->focus, part);
    }
  }
  return true;
}

static void list_uses(struct slice *self, const struct query *query) {
  const size_t inputs = terms_input_count(self->stage.terms);
  self->uses.count = self->taken.count = self->first.count = 0;
  for (size_t i = 0; i < inputs; i++) vector_push(&self->first, NONE);
  for (uint32_t i = 0; i < query->count; i++) {
    const struct input_set set = term_inputs(self->stage.terms, query->constraints[i]);
    vector_push(&self->taken, false);
    for (size_t k = 0; k < set.count; k++) {
      const struct use use = {i, self->first.items[set.inputs[k]]};
      self->first.items[set.inputs[k]] = (uint32_t)self->uses.count;
      vector_push(&self->uses, use);
    }
  }
}

/* The constraints that share an input with the term, once. */
static void reach(struct slice *self, term_id term) {
  const struct input_set set = term_inputs(self->stage.terms, term);
  for (size_t i = 0; i < set.count; i++) {
    for (uint32_t use = self->first.items[set.inputs[i]]; use != NONE; use = self->uses.items[use].next) {
      const uint32_t constraint = self->uses.items[use].constraint;
      if (self->taken.items[constraint]) continue;
      self->taken.items[constraint] = true;
      vector_push(&self->reached, constraint);
    }
    self->first.items[set.inputs[i]] = NONE;
  }
}

/* False: something that must hold never does. */
static bool collect(struct slice *self, const struct query *query) {
  if (!keep(self, query->target, true)) return false;
  list_uses(self, query);
  self->reached.count = 0;
  reach(self, query->target);
  while (self->reached.count > 0) {
    const term_id constraint = query->constraints[self->reached.items[--self->reached.count]];
    if (!keep(self, constraint, false)) return false;
    reach(self, constraint);
  }
  return true;
}

static bool collect_all(struct slice *self, const struct query *query) {
  for (size_t i = 0; i < query->count; i++)
    if (!keep(self, query->constraints[i], false)) return false;
  return true;
}

static enum answer solve(struct stage *stage, const struct query *query, struct model *model) {
  struct slice *self = (struct slice *)stage;
  self->kept.count = self->focus.count = 0;
  if (!(query->target ? collect(self, query) : collect_all(self, query))) return ANSWER_UNSATISFIABLE;
  self->kept.count = sort_and_unite(self->kept.items, self->kept.count);
  const struct query rest = {.constraints = self->kept.items,
                             .count = self->kept.count,
                             .hint = query->hint,
                             .focus = self->focus.items,
                             .n_focus = self->focus.count};
  return stage_pass_on(stage, &rest, model);
}

static void destroy(struct stage *stage) {
  struct slice *self = (struct slice *)stage;
  vector_free(&self->kept);
  vector_free(&self->focus);
  vector_free(&self->parts);
  vector_free(&self->first);
  vector_free(&self->uses);
  vector_free(&self->taken);
  vector_free(&self->reached);
  free(self);
}

static const struct stage_class class = {.name = "slice", .solve = solve, .destroy = destroy};

struct stage *slice_stage(struct terms *terms, struct stage *next) {
  struct slice *self = memory_allocate(sizeof *self);
  self->stage = (struct stage){.class = &class, .next = next, .terms = terms};
  return &self->stage;
}
