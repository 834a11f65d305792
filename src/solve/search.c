/* SPDX-License-Identifier: MIT
 *
 * A solution by local search: take a constraint that does not hold, and follow what it asks of its operands down to an
 * input, undoing each operator with the present value of its other operand; change that input; start again. Which
 * operand to follow, and which of several possible values to ask for, is drawn from a generator that starts the same
 * for every query.
 *
 * When the inputs of a query have few values altogether, all are tried, and then "no solution" is an answer too.
 */
#include "solve/internal.h"

#include "base/random.h"

#include <stdlib.h>

#define MOST_MOVES 200
#define MOST_WORK 200000u /* terms evaluated in a query */
#define MOST_VALUES 256u  /* tried one by one */

struct search {
  struct stage stage;
  input_list inputs;
  uint64_t random;
};

/* A walk from a constraint down to an input: `term` shall become `wanted`. The model stays as it is until the end, so
 * one evaluation serves the whole walk. */
struct walk {
  struct search *search;
  struct model *model;
  term_id term;
  bits wanted;
};

static uint64_t draw(struct search *self, uint64_t bound) {
  return random_next(&self->random) % bound;
}

static bits value_of(const struct walk *walk, term_id term) {
  return terms_evaluate_next(walk->search->stage.terms, term, walk->model);
}

/* What depends on no input has become a constant. */
static bool has_inputs(const struct walk *walk, term_id term) {
  return !term_is_constant(walk->search->stage.terms, term, NULL);
}

/* Which of the first two operands to follow. */
static unsigned pick_operand(const struct walk *walk, const struct term *term) {
  if (!has_inputs(walk, term->operands[0])) return 1;
  if (!has_inputs(walk, term->operands[1])) return 0;
  return (unsigned)draw(walk->search, 2);
}

/* --- undoing operators: what operand `i` must be for the term to be `wanted`; false when there is nothing to ask for
 * --- */

/* The inverse of an odd number modulo 2^128, by Newton's iteration. */
static bits inverse_of_odd(bits odd) {
  bits inverse = odd;
  for (int i = 0; i < 7; i++) inverse *= 2 - odd * inverse;
  return inverse;
}

static bool undo_multiply(bits other, bits wanted, unsigned width, bits *asked) {
  if (other == 0) return false;
  while (!(other & 1)) {
    if (wanted & 1) return false;
    other >>= 1;
    wanted >>= 1;
    width--;
  }
  *asked = wanted * inverse_of_odd(other) & bits_mask(width);
  return true;
}

static bool undo_arithmetic(const struct walk *walk, const struct term *term, unsigned i, bits wanted, bits *asked) {
  const bits other = value_of(walk, term->operands[1 - i]), present = value_of(walk, term->operands[i]);
  switch ((enum term_operator)term->kind) {
  case TERM_ADD: *asked = wanted - other; return true;
  case TERM_SUBTRACT: *asked = i == 0 ? wanted + other : other - wanted; return true;
  case TERM_XOR: *asked = wanted ^ other; return true;
  case TERM_MULTIPLY: return undo_multiply(other, wanted, term->width, asked);
  case TERM_AND: *asked = wanted | (present & ~other); return true;
  case TERM_OR: *asked = (wanted & ~other) | (present & wanted); return true;
  case TERM_DIVIDE:
  case TERM_DIVIDE_SIGNED:
    if (i == 0) *asked = wanted * other;
    if (i == 1 && wanted != 0) *asked = other / wanted;
    return i == 0 || wanted != 0;
  case TERM_REMAINDER:
  case TERM_REMAINDER_SIGNED:
    if (i == 0) *asked = other ? present - present % other + wanted : wanted;
    if (i == 1) *asked = other - wanted;
    return true;
  case TERM_SHIFT_LEFT:
    if (i == 0 && other < term->width) *asked = wanted >> (unsigned)other;
    if (i == 1) *asked = draw(walk->search, term->width);
    return i == 1 || other < term->width;
  case TERM_SHIFT_RIGHT:
  case TERM_SHIFT_RIGHT_SIGNED:
    if (i == 0 && other < term->width) *asked = wanted << (unsigned)other;
    if (i == 1) *asked = draw(walk->search, term->width);
    return i == 1 || other < term->width;
  default: return false;
  }
}

/* A value that is smaller than `bound`, or at most it: the nearest, or any. */
static bits below(struct search *self, bits bound, bool strict) {
  const bits most = bound - strict;
  if (most == bits_mask(128) || draw(self, 2)) return most;
  return ((bits)random_next(&self->random) << 64 | random_next(&self->random)) % (most + 1);
}

/* Signed order is unsigned order with the sign bit inverted. */
static bool undo_comparison(const struct walk *walk, const struct term *term, unsigned i, bool holds, bits *asked) {
  const unsigned width = term_at(walk->search->stage.terms, term->operands[0])->width;
  const bool is_signed = term->kind == TERM_LESS_SIGNED || term->kind == TERM_LESS_EQUAL_SIGNED;
  const bool strict = (term->kind == TERM_LESS || term->kind == TERM_LESS_SIGNED) == holds;
  const bits flip = is_signed ? (bits)1 << (width - 1) : 0, all = bits_mask(width);
  const bits other = value_of(walk, term->operands[1 - i]) ^ flip;
  const bool ask_smaller = (i == 0) == holds;
  if (strict && other == (ask_smaller ? 0 : all)) return false;
  *asked = ask_smaller ? below(walk->search, other, strict) : all - below(walk->search, all - other, strict);
  *asked ^= flip;
  return true;
}

static bool undo_equal(const struct walk *walk, const struct term *term, unsigned i, bool holds, bits *asked) {
  const bits other = value_of(walk, term->operands[1 - i]);
  *asked = holds ? other : other + 1 + draw(walk->search, 3);
  return true;
}

/* --- one operator down: true if the walk continues --- */

static bool go_to(struct walk *walk, const struct term *term, unsigned i, bits wanted) {
  walk->term = term->operands[i];
  walk->wanted = wanted;
  return true;
}

static bool pass_extension(struct walk *walk, const struct term *term) {
  const unsigned width = term_at(walk->search->stage.terms, term->operands[0])->width;
  return go_to(walk, term, 0, walk->wanted & bits_mask(width));
}

static bool pass_extract(struct walk *walk, const struct term *term) {
  const bits hole = bits_mask(term->width) << term->low;
  return go_to(walk, term, 0, (value_of(walk, term->operands[0]) & ~hole) | walk->wanted << term->low);
}

/* One half at a time: one that is not as wanted. */
static bool pass_concatenation(struct walk *walk, const struct term *term) {
  const unsigned split = term_at(walk->search->stage.terms, term->operands[1])->width;
  const bits low = walk->wanted & bits_mask(split);
  if (value_of(walk, term->operands[1]) != low && has_inputs(walk, term->operands[1])) return go_to(walk, term, 1, low);
  return go_to(walk, term, 0, walk->wanted >> split);
}

static bool pass_if(struct walk *walk, const struct term *term) {
  const bool condition = value_of(walk, term->operands[0]);
  const term_id other = term->operands[condition ? 2 : 1];
  if (value_of(walk, other) == walk->wanted && has_inputs(walk, term->operands[0]))
    return go_to(walk, term, 0, !condition);
  return go_to(walk, term, condition ? 1 : 2, walk->wanted);
}

static bool pass_binary(struct walk *walk, const struct term *term) {
  const unsigned i = pick_operand(walk, term);
  bits asked = 0;
  bool possible;
  switch ((enum term_operator)term->kind) {
  case TERM_EQUAL: possible = undo_equal(walk, term, i, walk->wanted, &asked); break;
  case TERM_LESS:
  case TERM_LESS_EQUAL:
  case TERM_LESS_SIGNED:
  case TERM_LESS_EQUAL_SIGNED: possible = undo_comparison(walk, term, i, walk->wanted, &asked); break;
  default: possible = undo_arithmetic(walk, term, i, walk->wanted, &asked);
  }
  return possible && go_to(walk, term, i, asked);
}

static bool pass(struct walk *walk) {
  const struct term *term = term_at(walk->search->stage.terms, walk->term);
  walk->wanted &= bits_mask(term->width);
  switch ((enum term_operator)term->kind) {
  case TERM_CONSTANT: return false;
  case TERM_INPUT: model_set(walk->model, (input_id)term->value[0], walk->wanted); return false;
  case TERM_ZERO_EXTEND:
  case TERM_SIGN_EXTEND: return pass_extension(walk, term);
  case TERM_EXTRACT: return pass_extract(walk, term);
  case TERM_CONCATENATE: return pass_concatenation(walk, term);
  case TERM_IF: return pass_if(walk, term);
  default: return pass_binary(walk, term);
  }
}

/* A constraint that does not hold, drawn among all; 0: all hold. */
static term_id broken_constraint(struct search *self, const struct query *query, const struct model *model) {
  const uint64_t start = query->count ? draw(self, query->count) : 0;
  terms_start_evaluation(self->stage.terms);
  for (size_t i = 0; i < query->count; i++) {
    const term_id constraint = query->constraints[(start + i) % query->count];
    if (terms_evaluate_next(self->stage.terms, constraint, model) != 1) return constraint;
  }
  return 0;
}

static bool walk_to_solution(struct search *self, const struct query *query, struct model *model) {
  const uint64_t most = terms_evaluated(self->stage.terms) + MOST_WORK;
  self->random = 1;
  for (int i = 0; i < MOST_MOVES && terms_evaluated(self->stage.terms) < most; i++) {
    const term_id broken = broken_constraint(self, query, model);
    if (!broken) return true;
    struct walk walk = {self, model, broken, 1};
    while (pass(&walk)) continue;
  }
  return query_holds(self->stage.terms, query, model);
}

/* --- all values --- */

static bool has_few_values(struct search *self) {
  uint64_t values = 1;
  for (size_t i = 0; i < self->inputs.count; i++) {
    const unsigned width = terms_input_width(self->stage.terms, self->inputs.items[i]);
    if (width > 8) return false;
    values <<= width;
    if (values > MOST_VALUES) return false;
  }
  return true;
}

/* The next combination of values, like counting; false after the last. */
static bool next_values(struct search *self, struct model *model) {
  for (size_t i = 0; i < self->inputs.count; i++) {
    const input_id input = self->inputs.items[i];
    const bits value = (model_value(model, input) + 1) & bits_mask(terms_input_width(self->stage.terms, input));
    model_set(model, input, value);
    if (value != 0) return true;
  }
  return false;
}

static enum answer try_all(struct search *self, const struct query *query, struct model *model) {
  for (size_t i = 0; i < self->inputs.count; i++) model_set(model, self->inputs.items[i], 0);
  do
    if (query_holds(self->stage.terms, query, model)) return ANSWER_SATISFIABLE;
  while (next_values(self, model));
  return ANSWER_UNSATISFIABLE;
}

static enum answer solve(struct stage *stage, const struct query *query, struct model *model) {
  struct search *self = (struct search *)stage;
  if (walk_to_solution(self, query, model)) return ANSWER_SATISFIABLE;
  query_inputs(stage->terms, query, &self->inputs);
  if (has_few_values(self)) return try_all(self, query, model);
  query_restore(query, &self->inputs, model);
  return stage_pass_on(stage, query, model);
}

static void destroy(struct stage *stage) {
  struct search *self = (struct search *)stage;
  vector_free(&self->inputs);
  free(self);
}

static const struct stage_class class = {.name = "search", .solve = solve, .destroy = destroy};

struct stage *search_stage(struct terms *terms, struct stage *next) {
  struct search *self = memory_allocate(sizeof *self);
  self->stage = (struct stage){.class = &class, .next = next, .terms = terms};
  return &self->stage;
}
