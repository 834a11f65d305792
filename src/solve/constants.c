/* SPDX-License-Identifier: MIT
 *
 * First stage: constraints that are constants. Splits conjunctions on the way, so that later stages see single
 * comparisons.
 */
#include "solve/internal.h"

#include <stdlib.h>

struct constants {
  struct stage stage;
  VECTOR(term_id) kept;
};

/* Adds what is left of a constraint; false if it never holds. */
static bool keep(struct constants *self, term_id constraint) {
  const struct term term = *term_at(self->stage.terms, constraint);
  bits value;
  if (term_is_constant(self->stage.terms, constraint, &value)) return value == 1;
  if (term.kind == TERM_AND) return keep(self, term.operands[0]) && keep(self, term.operands[1]);
  vector_push(&self->kept, constraint);
  return true;
}

static enum answer solve(struct stage *stage, const struct query *query, struct model *model) {
  struct constants *self = (struct constants *)stage;
  self->kept.count = 0;
  for (size_t i = 0; i < query->count; i++)
    if (!keep(self, query->constraints[i])) return ANSWER_UNSATISFIABLE;
  bits value;
  const bool target_is_constant = query->target && term_is_constant(stage->terms, query->target, &value);
  if (target_is_constant && value != 1) return ANSWER_UNSATISFIABLE;
  /* Without a target that needs work, the hint is a solution if it solves the constraints. */
  const struct query rest = {self->kept.items, self->kept.count, target_is_constant ? 0 : query->target, query->hint};
  query_start_model(query, model);
  if (query_holds(stage->terms, &rest, model)) return ANSWER_SATISFIABLE;
  return stage_pass_on(stage, &rest, model);
}

static void destroy(struct stage *stage) {
  struct constants *self = (struct constants *)stage;
  vector_free(&self->kept);
  free(self);
}

static const struct stage_class class = {.name = "constants", .solve = solve, .destroy = destroy};

struct stage *constants_stage(struct terms *terms, struct stage *next) {
  struct constants *self = memory_allocate(sizeof *self);
  self->stage = (struct stage){.class = &class, .next = next, .terms = terms};
  return &self->stage;
}
