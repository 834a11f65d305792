/* SPDX-License-Identifier: MIT
 *
 * Solutions of earlier queries, tried on this one: neighbouring paths ask similar things. The newest first.
 */
#include "solve/internal.h"

#include <stdlib.h>

#define REMEMBERED 32u

struct models {
  struct stage stage;
  struct model remembered[REMEMBERED];
  uint64_t count;
  input_list inputs;
};

static void use_values(struct models *self, const struct query *query, const struct model *source,
                       struct model *model) {
  query_inputs(self->stage.terms, query, &self->inputs);
  for (size_t i = 0; i < self->inputs.count; i++)
    model_set(model, self->inputs.items[i], model_value(source, self->inputs.items[i]));
}

static enum answer solve(struct stage *stage, const struct query *query, struct model *model) {
  struct models *self = (struct models *)stage;
  for (uint64_t i = self->count; i > 0 && self->count - i < REMEMBERED; i--) {
    const struct model *remembered = &self->remembered[(i - 1) % REMEMBERED];
    if (!query_holds(stage->terms, query, remembered)) continue;
    use_values(self, query, remembered, model);
    return ANSWER_SATISFIABLE;
  }
  const enum answer answer = stage_pass_on(stage, query, model);
  if (answer == ANSWER_SATISFIABLE) model_copy(&self->remembered[self->count++ % REMEMBERED], model);
  return answer;
}

static void destroy(struct stage *stage) {
  struct models *self = (struct models *)stage;
  for (size_t i = 0; i < REMEMBERED; i++) model_free(&self->remembered[i]);
  vector_free(&self->inputs);
  free(self);
}

static const struct stage_class class = {.name = "models", .solve = solve, .destroy = destroy};

struct stage *models_stage(struct terms *terms, struct stage *next) {
  struct models *self = memory_allocate(sizeof *self);
  self->stage = (struct stage){.class = &class, .next = next, .terms = terms};
  return &self->stage;
}
