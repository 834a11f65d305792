/* SPDX-License-Identifier: MIT
 *
 * A wrapper around the whole chain for --check-solver and tests: a solution must solve, and Z3, asked directly, must
 * say the same. A difference is a defect in heddle: it is counted, and the answer is UNKNOWN.
 */
#include "solve/internal.h"

#include <stdlib.h>

struct check {
  struct stage stage;
  struct stage *judge;
  struct model scratch;
};

static enum answer solve(struct stage *stage, const struct query *query, struct model *model) {
  struct check *self = (struct check *)stage;
  const enum answer answer = stage_pass_on(stage, query, model);
  query_start_model(query, &self->scratch);
  const enum answer right = stage_solve(self->judge, query, &self->scratch);
  const bool solves = answer != ANSWER_SATISFIABLE || query_holds(stage->terms, query, model);
  const bool agrees = answer == ANSWER_UNKNOWN || right == ANSWER_UNKNOWN || answer == right;
  if (solves && agrees) return answer;
  stage->wrong++;
  return ANSWER_UNKNOWN;
}

static void destroy(struct stage *stage) {
  struct check *self = (struct check *)stage;
  self->judge->class->destroy(self->judge);
  model_free(&self->scratch);
  free(self);
}

static const struct stage_class class = {.name = "check", .solve = solve, .destroy = destroy};

struct stage *check_stage(struct terms *terms, struct stage *next, struct stage *judge) {
  struct check *self = memory_allocate(sizeof *self);
  self->stage = (struct stage){.class = &class, .next = next, .terms = terms};
  self->judge = judge;
  return &self->stage;
}
