/* SPDX-License-Identifier: MIT
 *
 * Which inputs a term depends on: sorted sets in one pool, one per term, made when first asked for.
 */
#include "expr/internal.h"

#include <string.h>

#define UNKNOWN UINT32_MAX

static void make_room(struct terms *terms) {
  if (terms->sets_size >= terms->nodes.count) return;
  const size_t size = terms->nodes.capacity;
  terms->sets = memory_resize(terms->sets, size * sizeof *terms->sets);
  memset(terms->sets + terms->sets_size, 0xff, (size - terms->sets_size) * sizeof *terms->sets);
  terms->sets_size = size;
}

/* Appends the union of the operands' sets to the pool. Two sorted sets at a time are merged in place behind it. */
static void merge_into_pool(struct terms *terms, uint32_t offset, term_id operand) {
  const uint32_t other_offset = terms->sets[operand].offset, other_count = terms->sets[operand].count;
  for (uint32_t i = 0; i < other_count; i++) {
    const input_id input = terms->pool.items[other_offset + i];
    size_t at = terms->pool.count;
    while (at > offset && terms->pool.items[at - 1] > input) at--;
    if (at > offset && terms->pool.items[at - 1] == input) continue;
    vector_push(&terms->pool, input);
    memmove(&terms->pool.items[at + 1], &terms->pool.items[at], (terms->pool.count - 1 - at) * sizeof input);
    terms->pool.items[at] = input;
  }
}

static bool is_same_set(const struct terms *terms, term_id operand, uint32_t offset) {
  const uint32_t count = (uint32_t)terms->pool.count - offset;
  return terms->sets[operand].count == count && memcmp(&terms->pool.items[terms->sets[operand].offset],
                                                       &terms->pool.items[offset], count * sizeof(input_id)) == 0;
}

static void compute(struct terms *terms, term_id id) {
  const struct term *term = node(terms, id);
  const uint32_t offset = (uint32_t)terms->pool.count;
  const unsigned operands = term_operator_operands(term->kind);
  if (term->kind == TERM_INPUT) vector_push(&terms->pool, (input_id)term->value[0]);
  for (unsigned i = 0; i < operands; i++) merge_into_pool(terms, offset, term->operands[i]);
  terms->sets[id].offset = offset;
  terms->sets[id].count = (uint32_t)terms->pool.count - offset;
  /* Mostly an operand has the same set already. */
  for (unsigned i = 0; i < operands; i++) {
    if (!is_same_set(terms, term->operands[i], offset)) continue;
    terms->sets[id] = terms->sets[term->operands[i]];
    terms->pool.count = offset;
    return;
  }
}

struct input_set term_inputs(struct terms *terms, term_id id) {
  make_room(terms);
  terms->stack.count = 0;
  vector_push(&terms->stack, id);
  while (terms->stack.count > 0) {
    const term_id top = terms->stack.items[terms->stack.count - 1];
    const struct term *term = node(terms, top);
    bool ready = true;
    for (unsigned i = 0; terms->sets[top].count == UNKNOWN && i < term_operator_operands(term->kind); i++) {
      if (terms->sets[term->operands[i]].count != UNKNOWN) continue;
      vector_push(&terms->stack, term->operands[i]);
      ready = false;
    }
    if (!ready) continue;
    if (terms->sets[top].count == UNKNOWN) compute(terms, top);
    terms->stack.count--;
  }
  return (struct input_set){terms->pool.items + terms->sets[id].offset, terms->sets[id].count};
}
