/* SPDX-License-Identifier: MIT
 *
 * For src/solve alone: what a stage looks like. A stage embeds struct stage as its first member and is made by a
 * function that takes the stage after it.
 */
#ifndef HEDDLE_SOLVE_INTERNAL_H
#define HEDDLE_SOLVE_INTERNAL_H

#include "solve/solver.h"

struct stage {
  const struct stage_class *class;
  struct stage *next; /* asked when this one cannot answer; NULL for the last */
  struct terms *terms;
  struct stage_statistics statistics;
  uint64_t wrong;        /* check: answers that were */
  double seconds_behind; /* spent in the stages after, to be taken off */
};

struct stage_class {
  const char *name;
  enum answer (*solve)(struct stage *stage, const struct query *query, struct model *model);
  void (*destroy)(struct stage *stage); /* frees the stage itself */
};

/* `model` is the hint when a stage gets it, and still is when the stage passes the query on; stages change no other
 * inputs than the query's. Asks a stage and counts; stages ask the next one through this as well. */
enum answer stage_solve(struct stage *stage, const struct query *query, struct model *model);
enum answer stage_pass_on(struct stage *stage, const struct query *query, struct model *model);

struct stage *constants_stage(struct terms *terms, struct stage *next);
struct stage *slice_stage(struct terms *terms, struct stage *next);
struct stage *cache_stage(struct terms *terms, struct stage *next);
struct stage *models_stage(struct terms *terms, struct stage *next);
struct stage *bounds_stage(struct terms *terms, struct stage *next);
struct stage *intervals_stage(struct terms *terms, struct stage *next);
struct stage *enumeration_stage(struct terms *terms, struct stage *next);
struct stage *search_stage(struct terms *terms, struct stage *next);
struct stage *z3_stage(struct terms *terms, const struct solver_settings *settings);
/* Asks `next`, evaluates its solution, and compares its answer with that of `judge`, which it owns too. */
struct stage *check_stage(struct terms *terms, struct stage *next, struct stage *judge);

/* Sorts ids and keeps each once; returns how many are left. */
size_t sort_and_unite(uint32_t *numbers, size_t count);

/* Sets `model` to the hint. */
void query_start_model(const struct query *query, struct model *model);
/* All of it in one evaluation, the focus first: it is what most models fail at. */
bool query_holds(struct terms *terms, const struct query *query, const struct model *model);
/* The inputs of all constraints and the target, ascending, without repetition. */
typedef VECTOR(input_id) input_list;
void query_inputs(struct terms *terms, const struct query *query, input_list *inputs);
/* Gives these inputs the hint's values again. */
void query_restore(const struct query *query, const input_list *inputs, struct model *model);

#endif
