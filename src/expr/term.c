/* SPDX-License-Identifier: MIT
 *
 * Making terms: simplify, then look the result up in an index of all terms.
 */
#include "expr/term.h"

#include "base/error.h"
#include "expr/internal.h"

#include <stdlib.h>
#include <string.h>

/* Rules that go down into operands stop there: a term may be deeper than the stack. */
#define MOST_DEPTH 100

static const struct {
  const char *words;
  uint8_t operands;
  bool commutative;
} rows[TERM_OPERATORS] = {
#define OPERATOR(name, words, operands, commutative) [TERM_##name] = {words, operands, commutative},
#include "abi/operators.def"
#undef OPERATOR
};

unsigned term_operator_operands(enum term_operator kind) {
  return rows[kind].operands;
}

bool term_operator_is_commutative(enum term_operator kind) {
  return rows[kind].commutative;
}

const char *term_operator_words(enum term_operator kind) {
  return rows[kind].words;
}

struct terms *terms_create(void) {
  struct terms *terms = memory_allocate(sizeof *terms);
  vector_push(&terms->nodes, (struct term){0});
  return terms;
}

void terms_destroy(struct terms *terms) {
  for (size_t i = 0; i < terms->inputs.count; i++) free(terms->inputs.items[i].name);
  vector_free(&terms->inputs);
  vector_free(&terms->nodes);
  vector_free(&terms->stack);
  vector_free(&terms->pool);
  id_index_free(&terms->index);
  free(terms->memo);
  free(terms->stamps);
  free(terms->sets);
  free(terms->visits);
  number_map_free(&terms->extractions);
  vector_free(&terms->input_visits);
  free(terms);
}

const struct term *term_at(const struct terms *terms, term_id id) {
  BUG_ON(id == 0 || id >= terms->nodes.count);
  return node(terms, id);
}

size_t terms_count(const struct terms *terms) {
  return terms->nodes.count - 1;
}

/* --- inputs --- */

input_id terms_new_input(struct terms *terms, const char *name, unsigned width) {
  BUG_ON(width == 0 || width > TERM_MAX_WIDTH);
  const struct input input = {memory_copy_string(name), width};
  vector_push(&terms->inputs, input);
  return (input_id)(terms->inputs.count - 1);
}

size_t terms_input_count(const struct terms *terms) {
  return terms->inputs.count;
}

const char *terms_input_name(const struct terms *terms, input_id input) {
  return terms->inputs.items[input].name;
}

unsigned terms_input_width(const struct terms *terms, input_id input) {
  return terms->inputs.items[input].width;
}

/* --- equal terms are one --- */

static uint64_t hash_of(const struct term *term) {
  uint64_t words[sizeof *term / 8];
  uint64_t hash = 0x9e3779b97f4a7c15ull;
  memcpy(words, term, sizeof words);
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    hash = (hash ^ words[i]) * 0xff51afd7ed558ccdull;
    hash ^= hash >> 32;
  }
  return hash;
}

term_id term_intern(struct terms *terms, const struct term *term) {
  const uint64_t hash = hash_of(term);
  struct id_search search = id_index_search(&terms->index, hash);
  for (term_id known; (known = id_search_next(&search));)
    if (memcmp(node(terms, known), term, sizeof *term) == 0) return known;
  const term_id id = (term_id)terms->nodes.count;
  vector_push(&terms->nodes, *term);
  id_index_add(&terms->index, id, hash);
  return id;
}

/* --- making --- */

term_id term_constant(struct terms *terms, unsigned width, bits value) {
  BUG_ON(width == 0 || width > TERM_MAX_WIDTH);
  value &= bits_mask(width);
  const struct term term = {
      .kind = TERM_CONSTANT, .width = (uint8_t)width, .value = {(uint64_t)value, (uint64_t)(value >> 64)}};
  return term_intern(terms, &term);
}

term_id term_input(struct terms *terms, input_id input) {
  BUG_ON(input >= terms->inputs.count);
  const struct term term = {
      .kind = TERM_INPUT, .width = (uint8_t)terms->inputs.items[input].width, .value = {input, 0}};
  return term_intern(terms, &term);
}

bool term_is_constant(const struct terms *terms, term_id id, bits *value) {
  const struct term *term = node(terms, id);
  if (term->kind != TERM_CONSTANT) return false;
  if (value) *value = constant_value(term);
  return true;
}

/* Constants to the right, otherwise the older term first, so that a + b and b + a are one term. */
static bool is_out_of_order(const struct terms *terms, term_id a, term_id b) {
  const bool a_is_constant = term_is_constant(terms, a, NULL), b_is_constant = term_is_constant(terms, b, NULL);
  if (a_is_constant != b_is_constant) return a_is_constant;
  return a > b;
}

static term_id make(struct terms *terms, struct term term) {
  if (term_operator_is_commutative(term.kind) && is_out_of_order(terms, term.operands[0], term.operands[1])) {
    const term_id first = term.operands[0];
    term.operands[0] = term.operands[1];
    term.operands[1] = first;
  }
  if (terms->depth >= MOST_DEPTH) return term_intern(terms, &term);
  terms->depth++;
  const term_id simpler = term_simplify(terms, &term);
  terms->depth--;
  return simpler ? simpler : term_intern(terms, &term);
}

static unsigned result_width(const struct terms *terms, enum term_operator kind, term_id a, term_id b) {
  switch (kind) {
  case TERM_EQUAL:
  case TERM_LESS:
  case TERM_LESS_EQUAL:
  case TERM_LESS_SIGNED:
  case TERM_LESS_EQUAL_SIGNED: return 1;
  case TERM_IF: return node(terms, b)->width;
  case TERM_CONCATENATE: return node(terms, a)->width + node(terms, b)->width;
  default: return node(terms, a)->width;
  }
}

static bool widths_agree(const struct terms *terms, enum term_operator kind, term_id a, term_id b, term_id c) {
  if (kind == TERM_CONCATENATE) return true;
  if (kind == TERM_IF) return node(terms, a)->width == 1 && node(terms, b)->width == node(terms, c)->width;
  return node(terms, a)->width == node(terms, b)->width;
}

term_id term_make(struct terms *terms, enum term_operator kind, term_id a, term_id b, term_id c) {
  BUG_ON(term_operator_operands(kind) != (c ? 3u : 2u) || !a || !b);
  BUG_ON(!widths_agree(terms, kind, a, b, c));
  const unsigned width = result_width(terms, kind, a, b);
  BUG_ON(width > TERM_MAX_WIDTH);
  return make(terms, (struct term){.kind = (uint8_t)kind, .width = (uint8_t)width, .operands = {a, b, c}});
}

term_id term_extend(struct terms *terms, enum term_operator kind, unsigned width, term_id a) {
  BUG_ON(kind != TERM_ZERO_EXTEND && kind != TERM_SIGN_EXTEND);
  BUG_ON(width < node(terms, a)->width || width > TERM_MAX_WIDTH);
  if (width == node(terms, a)->width) return a;
  return make(terms, (struct term){.kind = (uint8_t)kind, .width = (uint8_t)width, .operands = {a}});
}

/* --- extractions: pushed down through sums and choices, which share parts: each is done once --- */

term_id term_extract(struct terms *terms, unsigned low, unsigned width, term_id a) {
  BUG_ON(width == 0 || low + width > node(terms, a)->width);
  if (width == node(terms, a)->width) return a;
  const uint64_t key = (uint64_t)a << 16 | low << 8 | width;
  const term_id *known = number_map_find(&terms->extractions, key);
  if (known) return *known;
  const struct term term = {.kind = TERM_EXTRACT, .width = (uint8_t)width, .low = (uint8_t)low, .operands = {a}};
  const term_id result = make(terms, term);
  *number_map_add(&terms->extractions, key) = result;
  return result;
}

term_id term_not(struct terms *terms, term_id a) {
  const unsigned width = node(terms, a)->width;
  return term_make(terms, TERM_XOR, a, term_constant(terms, width, bits_mask(width)), 0);
}
