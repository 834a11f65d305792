/* SPDX-License-Identifier: MIT
 *
 * Order in time as difference logic: an integer per point, demands as inequalities under a truth value per group, which
 * is assumed. Z3's core is the assumptions it needed.
 */
#include "solve/precedence.h"

#include "base/error.h"

#include <stdlib.h>
#include <z3.h>

#define QUERIES_PER_CONTEXT 2000u

struct precedence_z3 {
  Z3_context context;
  Z3_solver solver;
  uint32_t queries;
  VECTOR(Z3_ast) points, groups;
  VECTOR(int64_t) times;
};

static void ignore_error(Z3_context context, Z3_error_code code) {
  (void)context, (void)code;
}

static void close_context(struct precedence_z3 *z3) {
  if (!z3->context) return;
  Z3_solver_dec_ref(z3->context, z3->solver);
  Z3_del_context(z3->context);
  z3->context = NULL;
  z3->points.count = z3->groups.count = z3->queries = 0;
}

static void open_context(struct precedence_z3 *z3) {
  Z3_config config = Z3_mk_config();
  z3->context = Z3_mk_context(config);
  Z3_del_config(config);
  Z3_set_error_handler(z3->context, ignore_error);
  z3->solver = Z3_mk_solver_for_logic(z3->context, Z3_mk_string_symbol(z3->context, "QF_IDL"));
  Z3_solver_inc_ref(z3->context, z3->solver);
}

void precedence_z3_free(struct precedence_z3 *z3) {
  close_context(z3);
  vector_free(&z3->points);
  vector_free(&z3->groups);
  vector_free(&z3->times);
  free(z3);
}

/* Symbols of points are even, those of groups odd. */
static void make_symbols(struct precedence *self) {
  struct precedence_z3 *z3 = self->z3;
  const Z3_sort number = Z3_mk_int_sort(z3->context), truth = Z3_mk_bool_sort(z3->context);
  while (z3->points.count < self->points.count) {
    const Z3_symbol symbol = Z3_mk_int_symbol(z3->context, (int)(2 * z3->points.count));
    vector_push(&z3->points, Z3_mk_const(z3->context, symbol, number));
  }
  while (z3->groups.count <= self->n_groups) {
    const Z3_symbol symbol = Z3_mk_int_symbol(z3->context, (int)(2 * z3->groups.count + 1));
    vector_push(&z3->groups, Z3_mk_const(z3->context, symbol, truth));
  }
}

static Z3_ast before(struct precedence_z3 *z3, point_id a, point_id b) {
  return Z3_mk_lt(z3->context, z3->points.items[a], z3->points.items[b]);
}

static void assert_demand(struct precedence_z3 *z3, const struct precedence_demand *demand) {
  Z3_ast ast = before(z3, demand->a, demand->b);
  if (demand->c != NO_POINT) {
    const Z3_ast both[2] = {ast, before(z3, demand->c, demand->d)};
    ast = Z3_mk_or(z3->context, 2, both);
  }
  if (demand->group) ast = Z3_mk_implies(z3->context, z3->groups.items[demand->group], ast);
  Z3_solver_assert(z3->context, z3->solver, ast);
}

static void assert_all(struct precedence *self) {
  struct precedence_z3 *z3 = self->z3;
  Z3_solver_reset(z3->context, z3->solver);
  for (uint32_t c = 0; c < self->n_chains; c++)
    for (size_t i = 1; i < self->chains.items[c].count; i++)
      Z3_solver_assert(z3->context, z3->solver,
                       before(z3, self->chains.items[c].items[i - 1], self->chains.items[c].items[i]));
  for (size_t i = 0; i < self->demands.count; i++) assert_demand(z3, &self->demands.items[i]);
}

static void read_core(struct precedence *self) {
  struct precedence_z3 *z3 = self->z3;
  Z3_ast_vector core = Z3_solver_get_unsat_core(z3->context, z3->solver);
  Z3_ast_vector_inc_ref(z3->context, core);
  for (unsigned i = 0; i < Z3_ast_vector_size(z3->context, core); i++)
    for (uint32_t g = 1; g <= self->n_groups; g++)
      if (Z3_is_eq_ast(z3->context, Z3_ast_vector_get(z3->context, core, i), z3->groups.items[g]))
        self->core.items[g] = true;
  Z3_ast_vector_dec_ref(z3->context, core);
}

static bool read_times(struct precedence *self) {
  struct precedence_z3 *z3 = self->z3;
  Z3_model model = Z3_solver_get_model(z3->context, z3->solver);
  if (!model) return false;
  Z3_model_inc_ref(z3->context, model);
  z3->times.count = 0;
  bool good = true;
  for (size_t p = 0; p < self->points.count; p++) {
    Z3_ast value = NULL;
    int64_t time = 0;
    good = good && Z3_model_eval(z3->context, model, z3->points.items[p], true, &value) &&
           Z3_get_numeral_int64(z3->context, value, &time);
    vector_push(&z3->times, time);
  }
  Z3_model_dec_ref(z3->context, model);
  return good;
}

/* Chains are sorted already: the earliest head is next, and of equal ones any but the last chain's. */
static void make_order(struct precedence *self, uint32_t last) {
  uint32_t *done = memory_allocate((self->n_chains + 1) * sizeof *done);
  while (self->order.count < self->points.count) {
    uint32_t best = UINT32_MAX;
    int64_t best_time = 0;
    for (uint32_t c = 0; c < self->n_chains; c++) {
      if (done[c] == self->chains.items[c].count) continue;
      const int64_t time = self->z3->times.items[self->chains.items[c].items[done[c]]];
      if (best != UINT32_MAX && (time > best_time || (time == best_time && best != last))) continue;
      best = c;
      best_time = time;
    }
    vector_push(&self->order, self->chains.items[best].items[done[best]++]);
  }
  free(done);
}

enum answer precedence_solve_z3(struct precedence *self, uint32_t last) {
  if (!self->z3) self->z3 = memory_allocate(sizeof *self->z3);
  struct precedence_z3 *z3 = self->z3;
  precedence_clear_core(self);
  if (z3->queries++ == QUERIES_PER_CONTEXT) close_context(z3);
  if (!z3->context) open_context(z3);
  make_symbols(self);
  assert_all(self);
  switch (Z3_solver_check_assumptions(z3->context, z3->solver, self->n_groups, &z3->groups.items[1])) {
  case Z3_L_TRUE:
    if (!read_times(self)) return ANSWER_UNKNOWN;
    make_order(self, last);
    return precedence_holds(self) ? ANSWER_SATISFIABLE : ANSWER_UNKNOWN;
  case Z3_L_FALSE:
    if (Z3_get_error_code(z3->context) != Z3_OK) return ANSWER_UNKNOWN;
    read_core(self);
    return ANSWER_UNSATISFIABLE;
  default: return ANSWER_UNKNOWN;
  }
}
