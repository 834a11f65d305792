/* SPDX-License-Identifier: MIT
 *
 * Second stage: only the constraints that are connected to the target through common inputs matter; the hint solves the
 * others, and their inputs keep its values. Afterwards the target is an ordinary constraint, the constraints are sorted
 * and each is there once, so that equal queries look equal to the cache.
 */
#include "solve/internal.h"

#include <stdlib.h>
#include <string.h>

struct slice {
  struct stage stage;
  VECTOR(term_id) kept;
  bool *reached; /* by input */
  size_t reached_size;
  VECTOR(bool) taken; /* by constraint */
};

static void reach(struct slice *self, term_id term) {
  const struct input_set set = term_inputs(self->stage.terms, term);
  for (size_t i = 0; i < set.count; i++) self->reached[set.inputs[i]] = true;
}

static bool is_reached(struct slice *self, term_id term) {
  const struct input_set set = term_inputs(self->stage.terms, term);
  for (size_t i = 0; i < set.count; i++)
    if (self->reached[set.inputs[i]]) return true;
  return false;
}

static void start(struct slice *self, const struct query *query) {
  const size_t inputs = terms_input_count(self->stage.terms);
  if (self->reached_size < inputs) {
    self->reached = memory_resize(self->reached, inputs * sizeof *self->reached);
    self->reached_size = inputs;
  }
  memset(self->reached, 0, inputs * sizeof *self->reached);
  self->kept.count = self->taken.count = 0;
  for (size_t i = 0; i < query->count; i++) vector_push(&self->taken, false);
}

/* Until nothing new is reached. */
static void collect(struct slice *self, const struct query *query) {
  vector_push(&self->kept, query->target);
  reach(self, query->target);
  for (bool grew = true; grew;) {
    grew = false;
    for (size_t i = 0; i < query->count; i++) {
      if (self->taken.items[i] || !is_reached(self, query->constraints[i])) continue;
      self->taken.items[i] = true;
      vector_push(&self->kept, query->constraints[i]);
      reach(self, query->constraints[i]);
      grew = true;
    }
  }
}

static enum answer solve(struct stage *stage, const struct query *query, struct model *model) {
  struct slice *self = (struct slice *)stage;
  start(self, query);
  if (query->target)
    collect(self, query);
  else
    for (size_t i = 0; i < query->count; i++) vector_push(&self->kept, query->constraints[i]);
  self->kept.count = sort_and_unite(self->kept.items, self->kept.count);
  const struct query rest = {self->kept.items, self->kept.count, 0, query->hint};
  return stage_pass_on(stage, &rest, model);
}

static void destroy(struct stage *stage) {
  struct slice *self = (struct slice *)stage;
  vector_free(&self->kept);
  vector_free(&self->taken);
  free(self->reached);
  free(self);
}

static const struct stage_class class = {.name = "slice", .solve = solve, .destroy = destroy};

struct stage *slice_stage(struct terms *terms, struct stage *next) {
  struct slice *self = memory_allocate(sizeof *self);
  self->stage = (struct stage){.class = &class, .next = next, .terms = terms};
  return &self->stage;
}
