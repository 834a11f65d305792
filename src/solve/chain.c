/* SPDX-License-Identifier: MIT
 *
 * The chain, and what all stages share.
 */
#include "solve/internal.h"

#include <stdlib.h>
#include <time.h>

struct solver {
  struct stage *first;
  struct solver_statistics totals;
};

static struct stage *build_chain(struct terms *terms, const struct solver_settings *settings) {
  struct stage *stage = z3_stage(terms, settings);
  if (settings->only_z3) return stage;
  stage = enumeration_stage(terms, stage);
  stage = search_stage(terms, stage);
  stage = intervals_stage(terms, stage);
  stage = bounds_stage(terms, stage);
  stage = models_stage(terms, stage);
  stage = cache_stage(terms, stage);
  stage = slice_stage(terms, stage);
  stage = constants_stage(terms, stage);
  if (settings->check) stage = check_stage(terms, stage, z3_stage(terms, settings));
  return stage;
}

struct solver *solver_create(struct terms *terms, const struct solver_settings *settings) {
  struct solver *solver = memory_allocate(sizeof *solver);
  solver->first = build_chain(terms, settings);
  return solver;
}

void solver_destroy(struct solver *solver) {
  for (struct stage *stage = solver->first; stage;) {
    struct stage *next = stage->next;
    stage->class->destroy(stage);
    stage = next;
  }
  free(solver);
}

static double now_seconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void count_answer(enum answer answer, uint64_t *satisfiable, uint64_t *unsatisfiable, uint64_t *unknown) {
  *satisfiable += answer == ANSWER_SATISFIABLE;
  *unsatisfiable += answer == ANSWER_UNSATISFIABLE;
  *unknown += answer == ANSWER_UNKNOWN;
}

enum answer stage_solve(struct stage *stage, const struct query *query, struct model *model) {
  struct stage_statistics *statistics = &stage->statistics;
  const uint64_t passed_on = stage->next ? stage->next->statistics.queries : 0;
  const double behind = stage->seconds_behind, start = now_seconds();
  statistics->queries++;
  const enum answer answer = stage->class->solve(stage, query, model);
  statistics->seconds += now_seconds() - start - (stage->seconds_behind - behind);
  /* An answer is counted where it was found. */
  if (!stage->next || stage->next->statistics.queries == passed_on)
    count_answer(answer, &statistics->satisfiable, &statistics->unsatisfiable, &statistics->unknown);
  return answer;
}

enum answer stage_pass_on(struct stage *stage, const struct query *query, struct model *model) {
  const double start = now_seconds();
  const enum answer answer = stage_solve(stage->next, query, model);
  stage->seconds_behind += now_seconds() - start;
  return answer;
}

enum answer solver_solve(struct solver *solver, const struct query *query, struct model *model) {
  const double start = now_seconds();
  query_start_model(query, model);
  const enum answer answer = stage_solve(solver->first, query, model);
  solver->totals.queries++;
  solver->totals.seconds += now_seconds() - start;
  count_answer(answer, &solver->totals.satisfiable, &solver->totals.unsatisfiable, &solver->totals.unknown);
  return answer;
}

void solver_get_statistics(const struct solver *solver, struct solver_statistics *statistics) {
  *statistics = solver->totals;
  statistics->wrong = solver->first->wrong;
  for (const struct stage *stage = solver->first; stage; stage = stage->next) {
    statistics->stages[statistics->n_stages] = stage->statistics;
    statistics->stages[statistics->n_stages++].name = stage->class->name;
  }
}

/* --- queries --- */

void query_start_model(const struct query *query, struct model *model) {
  if (query->hint)
    model_copy(model, query->hint);
  else
    model->values.count = 0;
}

bool query_holds(struct terms *terms, const struct query *query, const struct model *model) {
  terms_start_evaluation(terms);
  if (query->target && terms_evaluate_next(terms, query->target, model) != 1) return false;
  for (size_t i = 0; i < query->n_focus; i++)
    if (terms_evaluate_next(terms, query->focus[i], model) != 1) return false;
  for (size_t i = 0; i < query->count; i++)
    if (terms_evaluate_next(terms, query->constraints[i], model) != 1) return false;
  return true;
}

void query_restore(const struct query *query, const input_list *inputs, struct model *model) {
  for (size_t i = 0; i < inputs->count; i++)
    model_set(model, inputs->items[i], query->hint ? model_value(query->hint, inputs->items[i]) : 0);
}

static int compare_numbers(const void *a, const void *b) {
  const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

static bool is_ascending(const uint32_t *numbers, size_t count) {
  for (size_t i = 1; i < count; i++)
    if (numbers[i - 1] >= numbers[i]) return false;
  return true;
}

size_t sort_and_unite(uint32_t *numbers, size_t count) {
  if (count == 0 || is_ascending(numbers, count)) return count;
  qsort(numbers, count, sizeof *numbers, compare_numbers);
  size_t kept = 1;
  for (size_t i = 1; i < count; i++)
    if (numbers[i] != numbers[kept - 1]) numbers[kept++] = numbers[i];
  return kept;
}

void query_inputs(struct terms *terms, const struct query *query, input_list *inputs) {
  inputs->count = 0;
  for (size_t i = 0; i <= query->count; i++) {
    const term_id term = i < query->count ? query->constraints[i] : query->target;
    if (!term) continue;
    const struct input_set set = term_inputs(terms, term);
    for (size_t k = 0; k < set.count; k++) vector_push(inputs, set.inputs[k]);
  }
  inputs->count = sort_and_unite(inputs->items, inputs->count);
}
