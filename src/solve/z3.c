/* SPDX-License-Identifier: MIT
 *
 * The last stage: Z3, the only file that knows it. Terms are translated once per context; the context is renewed now
 * and then, since Z3 keeps what it has seen. Whatever goes wrong (time, memory, an error of Z3) is the answer UNKNOWN,
 * and the next query gets a new context.
 */
#include "solve/internal.h"

#include "base/error.h"
#include "solve/watch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <z3.h>

#define QUERIES_PER_CONTEXT 5000u
#define ASTS_PER_CONTEXT 2000000u
#define MOST_MEGABYTES "4096"

struct z3 {
  struct stage stage;
  uint32_t timeout_milliseconds;
  struct deadline *deadline; /* NULL: none */
  struct watch *watch;       /* NULL: likewise */
  Z3_context context;
  Z3_solver solver;
  Z3_ast *asts; /* by term, NULL when not translated */
  size_t asts_size;
  uint32_t queries, n_asts;
  input_list inputs;
  VECTOR(term_id) stack;
};

/* --- context --- */

/* Errors show in the results, which are looked at. */
static void ignore_error(Z3_context context, Z3_error_code code) {
  (void)context, (void)code;
}

static void close_context(struct z3 *self) {
  if (!self->context) return;
  Z3_solver_dec_ref(self->context, self->solver);
  Z3_del_context(self->context);
  self->context = NULL;
  memset(self->asts, 0, self->asts_size * sizeof *self->asts);
  self->queries = self->n_asts = 0;
}

static void set_timeout(struct z3 *self) {
  Z3_params parameters = Z3_mk_params(self->context);
  Z3_params_inc_ref(self->context, parameters);
  Z3_params_set_uint(self->context, parameters, Z3_mk_string_symbol(self->context, "timeout"),
                     self->timeout_milliseconds);
  Z3_solver_set_params(self->context, self->solver, parameters);
  Z3_params_dec_ref(self->context, parameters);
}

static void open_context(struct z3 *self) {
  Z3_global_param_set("memory_max_size", MOST_MEGABYTES);
  Z3_config config = Z3_mk_config();
  self->context = Z3_mk_context(config);
  Z3_del_config(config);
  Z3_set_error_handler(self->context, ignore_error);
  self->solver = Z3_mk_solver_for_logic(self->context, Z3_mk_string_symbol(self->context, "QF_BV"));
  Z3_solver_inc_ref(self->context, self->solver);
  if (self->timeout_milliseconds) set_timeout(self);
}

/* --- translation --- */

static Z3_ast constant(Z3_context context, const struct term *term) {
  const Z3_sort half = Z3_mk_bv_sort(context, 64);
  const Z3_ast low = Z3_mk_unsigned_int64(context, term->value[0], half);
  if (term->width <= 64) return Z3_mk_extract(context, term->width - 1u, 0, low);
  const Z3_ast both = Z3_mk_concat(context, Z3_mk_unsigned_int64(context, term->value[1], half), low);
  return Z3_mk_extract(context, term->width - 1u, 0, both);
}

static Z3_ast input(Z3_context context, const struct term *term) {
  return Z3_mk_const(context, Z3_mk_int_symbol(context, (int)term->value[0]), Z3_mk_bv_sort(context, term->width));
}

/* Z3's comparisons are truth values, ours one bit. */
static Z3_ast bit(Z3_context context, Z3_ast truth) {
  const Z3_sort sort = Z3_mk_bv_sort(context, 1);
  return Z3_mk_ite(context, truth, Z3_mk_int(context, 1, sort), Z3_mk_int(context, 0, sort));
}

static Z3_ast truth(Z3_context context, Z3_ast bit) {
  return Z3_mk_eq(context, bit, Z3_mk_int(context, 1, Z3_mk_bv_sort(context, 1)));
}

static Z3_ast translate_node(struct z3 *self, const struct term *term) {
  const Z3_context c = self->context;
  const unsigned operands = term->kind == TERM_CONSTANT || term->kind == TERM_INPUT ? 0 : 1;
  const Z3_ast a = operands ? self->asts[term->operands[0]] : NULL;
  const Z3_ast b = term->operands[1] ? self->asts[term->operands[1]] : NULL;
  const unsigned extra = operands ? term->width - term_at(self->stage.terms, term->operands[0])->width : 0;
  switch ((enum term_operator)term->kind) {
  case TERM_CONSTANT: return constant(c, term);
  case TERM_INPUT: return input(c, term);
  case TERM_ADD: return Z3_mk_bvadd(c, a, b);
  case TERM_SUBTRACT: return Z3_mk_bvsub(c, a, b);
  case TERM_MULTIPLY: return Z3_mk_bvmul(c, a, b);
  case TERM_DIVIDE: return Z3_mk_bvudiv(c, a, b);
  case TERM_DIVIDE_SIGNED: return Z3_mk_bvsdiv(c, a, b);
  case TERM_REMAINDER: return Z3_mk_bvurem(c, a, b);
  case TERM_REMAINDER_SIGNED: return Z3_mk_bvsrem(c, a, b);
  case TERM_AND: return Z3_mk_bvand(c, a, b);
  case TERM_OR: return Z3_mk_bvor(c, a, b);
  case TERM_XOR: return Z3_mk_bvxor(c, a, b);
  case TERM_SHIFT_LEFT: return Z3_mk_bvshl(c, a, b);
  case TERM_SHIFT_RIGHT: return Z3_mk_bvlshr(c, a, b);
  case TERM_SHIFT_RIGHT_SIGNED: return Z3_mk_bvashr(c, a, b);
  case TERM_EQUAL: return bit(c, Z3_mk_eq(c, a, b));
  case TERM_LESS: return bit(c, Z3_mk_bvult(c, a, b));
  case TERM_LESS_EQUAL: return bit(c, Z3_mk_bvule(c, a, b));
  case TERM_LESS_SIGNED: return bit(c, Z3_mk_bvslt(c, a, b));
  case TERM_LESS_EQUAL_SIGNED: return bit(c, Z3_mk_bvsle(c, a, b));
  case TERM_IF: return Z3_mk_ite(c, truth(c, a), b, self->asts[term->operands[2]]);
  case TERM_ZERO_EXTEND: return Z3_mk_zero_ext(c, extra, a);
  case TERM_SIGN_EXTEND: return Z3_mk_sign_ext(c, extra, a);
  case TERM_EXTRACT: return Z3_mk_extract(c, term->low + term->width - 1u, term->low, a);
  case TERM_CONCATENATE: return Z3_mk_concat(c, a, b);
  case TERM_OPERATORS: break;
  }
  BUG_ON(true);
}

static bool push_missing_operands(struct z3 *self, const struct term *term) {
  bool missing = false;
  if (term->kind == TERM_CONSTANT || term->kind == TERM_INPUT) return false;
  for (unsigned i = 0; i < 3 && term->operands[i]; i++) {
    if (self->asts[term->operands[i]]) continue;
    vector_push(&self->stack, term->operands[i]);
    missing = true;
  }
  return missing;
}

static bool has_failed(const struct z3 *self) {
  return Z3_get_error_code(self->context) != Z3_OK;
}

/* NULL: Z3 has failed. */
static Z3_ast translate(struct z3 *self, term_id id) {
  self->stack.count = 0;
  vector_push(&self->stack, id);
  while (self->stack.count > 0) {
    const term_id top = self->stack.items[self->stack.count - 1];
    const struct term *term = term_at(self->stage.terms, top);
    if (!self->asts[top]) {
      if (push_missing_operands(self, term)) continue;
      self->asts[top] = translate_node(self, term);
      self->n_asts++;
      if (!self->asts[top] || has_failed(self)) return NULL;
    }
    self->stack.count--;
  }
  return self->asts[id];
}

static void make_room(struct z3 *self) {
  const size_t needed = terms_count(self->stage.terms) + 1;
  if (self->asts_size >= needed) return;
  const size_t size = 2 * needed;
  self->asts = memory_resize(self->asts, size * sizeof *self->asts);
  memset(self->asts + self->asts_size, 0, (size - self->asts_size) * sizeof *self->asts);
  self->asts_size = size;
}

/* --- solutions --- */

/* Z3 gives up to 64 bits at a time. */
static uint64_t part_of(struct z3 *self, Z3_model z3_model, Z3_ast ast, unsigned low, unsigned width) {
  Z3_ast value = NULL;
  uint64_t part = 0;
  const Z3_ast extracted = Z3_mk_extract(self->context, low + width - 1, low, ast);
  if (!Z3_model_eval(self->context, z3_model, extracted, true, &value)) return 0;
  Z3_get_numeral_uint64(self->context, value, &part);
  return part;
}

static void read_values(struct z3 *self, Z3_model z3_model, struct model *model) {
  for (size_t i = 0; i < self->inputs.count; i++) {
    const input_id id = self->inputs.items[i];
    const unsigned width = terms_input_width(self->stage.terms, id);
    const Z3_ast ast = translate(self, term_input(self->stage.terms, id));
    if (!ast) return;
    bits value = part_of(self, z3_model, ast, 0, width < 64 ? width : 64);
    if (width > 64) value |= (bits)part_of(self, z3_model, ast, 64, width - 64) << 64;
    model_set(model, id, value);
  }
}

/* An answer without a model that solves the query is none. */
static enum answer read_model(struct z3 *self, const struct query *query, struct model *model) {
  Z3_model z3_model = Z3_solver_get_model(self->context, self->solver);
  if (!z3_model) return ANSWER_UNKNOWN;
  Z3_model_inc_ref(self->context, z3_model);
  query_inputs(self->stage.terms, query, &self->inputs);
  read_values(self, z3_model, model);
  Z3_model_dec_ref(self->context, z3_model);
  return query_holds(self->stage.terms, query, model) ? ANSWER_SATISFIABLE : ANSWER_UNKNOWN;
}

static bool demand(struct z3 *self, term_id constraint) {
  const Z3_ast ast = translate(self, constraint);
  if (!ast) return false;
  Z3_solver_assert(self->context, self->solver, truth(self->context, ast));
  return !has_failed(self);
}

static void interrupt(void *context) {
  Z3_interrupt(context);
}

static Z3_lbool check(struct z3 *self) {
  if (deadline_is_over_now(self->deadline)) return Z3_L_UNDEF;
  if (self->watch) watch_begin(self->watch, self->context);
  const Z3_lbool answer = Z3_solver_check(self->context, self->solver);
  if (self->watch) watch_end(self->watch);
  return answer;
}

static enum answer ask(struct z3 *self, const struct query *query, struct model *model) {
  Z3_solver_reset(self->context, self->solver);
  for (size_t i = 0; i < query->count; i++)
    if (!demand(self, query->constraints[i])) return ANSWER_UNKNOWN;
  if (query->target && !demand(self, query->target)) return ANSWER_UNKNOWN;
  switch (check(self)) {
  case Z3_L_TRUE: return read_model(self, query, model);
  case Z3_L_FALSE: return has_failed(self) ? ANSWER_UNKNOWN : ANSWER_UNSATISFIABLE;
  default: return ANSWER_UNKNOWN;
  }
}

static enum answer solve(struct stage *stage, const struct query *query, struct model *model) {
  struct z3 *self = (struct z3 *)stage;
  if (self->queries++ == QUERIES_PER_CONTEXT || self->n_asts > ASTS_PER_CONTEXT) close_context(self);
  if (!self->context) open_context(self);
  make_room(self);
  const enum answer answer = ask(self, query, model);
  if (answer == ANSWER_UNKNOWN && has_failed(self)) close_context(self);
  return answer;
}

static void destroy(struct stage *stage) {
  struct z3 *self = (struct z3 *)stage;
  close_context(self);
  if (self->watch) watch_destroy(self->watch);
  vector_free(&self->inputs);
  vector_free(&self->stack);
  free(self->asts);
  free(self);
}

static const struct stage_class class = {.name = "z3", .solve = solve, .destroy = destroy};

struct stage *z3_stage(struct terms *terms, const struct solver_settings *settings) {
  struct z3 *self = memory_allocate(sizeof *self);
  self->stage = (struct stage){.class = &class, .terms = terms};
  self->timeout_milliseconds = settings->timeout_milliseconds;
  self->deadline = settings->deadline;
  if (self->deadline) self->watch = watch_create(self->deadline, interrupt);
  return &self->stage;
}
