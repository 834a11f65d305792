/* SPDX-License-Identifier: MIT
 *
 * First stage: a target that is a constant, or that holds for the hint, needs no solving; without a target the hint may
 * be a solution as it is.
 */
#include "solve/internal.h"

#include <stdlib.h>

static enum answer solve(struct stage *stage, const struct query *query, struct model *model) {
  bits value;
  struct query rest = *query;
  if (query->target && term_is_constant(stage->terms, query->target, &value)) {
    if (value != 1) return ANSWER_UNSATISFIABLE;
    rest.target = 0;
  }
  /* The hint satisfies all constraints but the target, if there is one. */
  if (rest.target) rest.count = 0;
  if (query_holds(stage->terms, &rest, model)) return ANSWER_SATISFIABLE;
  rest.count = query->count;
  return stage_pass_on(stage, &rest, model);
}

static void destroy(struct stage *stage) {
  free(stage);
}

static const struct stage_class class = {.name = "constants", .solve = solve, .destroy = destroy};

struct stage *constants_stage(struct terms *terms, struct stage *next) {
  struct stage *self = memory_allocate(sizeof *self);
  *self = (struct stage){.class = &class, .next = next, .terms = terms};
  return self;
}
