/* SPDX-License-Identifier: MIT
 *
 * For src/expr alone.
 */
#ifndef HEDDLE_EXPR_INTERNAL_H
#define HEDDLE_EXPR_INTERNAL_H

#include "base/id_index.h"
#include "base/number_map.h"
#include "expr/term.h"

struct input {
  char *name;
  unsigned width;
};

struct terms {
  VECTOR(struct term) nodes; /* nodes.items[0] is unused */
  struct id_index index;     /* of all nodes */
  VECTOR(struct input) inputs;
  /* evaluate.c: value of node i if stamp[i] is the current round */
  bits *memo;
  uint32_t *stamps;
  size_t memo_size;
  uint32_t round;
  VECTOR(term_id) stack;
  uint64_t evaluated; /* nodes, in all rounds */
  /* term_inputs.c: per node, offset and length into a pool of sorted sets; length UINT32_MAX = not computed */
  struct {
    uint32_t offset, count;
  } * sets;
  size_t sets_size;
  VECTOR(input_id) pool;
  uint32_t *visits; /* by node, like the next one: the visit that came there */
  VECTOR(uint32_t) input_visits;
  uint32_t visit;
  /* term.c: how deep simplification is, and what extractions became */
  unsigned depth;
  NUMBER_MAP(term_id) extractions;
};

/* The id of the term as it stands, made if it is new. No simplification. */
term_id term_intern(struct terms *terms, const struct term *term);
/* A simpler term that equals `term` for all inputs, or 0. */
term_id term_simplify(struct terms *terms, const struct term *term);
unsigned term_operator_operands(enum term_operator kind);
bool term_operator_is_commutative(enum term_operator kind);
const char *term_operator_words(enum term_operator kind);

static inline const struct term *node(const struct terms *terms, term_id id) {
  return &terms->nodes.items[id];
}
static inline bits constant_value(const struct term *term) {
  return (bits)term->value[1] << 64 | term->value[0];
}

#endif
