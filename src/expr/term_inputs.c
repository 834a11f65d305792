/* SPDX-License-Identifier: MIT
 *
 * Which inputs a term depends on: sorted sets in one pool, kept for the terms that were asked about, not for those
 * below them (a sum of n inputs has n partial sums, with n * n / 2 inputs in all). Terms below that have a set of their
 * own are not looked into.
 */
#include "expr/internal.h"

#include <stdlib.h>
#include <string.h>

#define UNKNOWN UINT32_MAX

static void make_room(struct terms *terms) {
  if (terms->sets_size < terms->nodes.count) {
    const size_t size = terms->nodes.capacity;
    terms->sets = memory_resize(terms->sets, size * sizeof *terms->sets);
    memset(terms->sets + terms->sets_size, 0xff, (size - terms->sets_size) * sizeof *terms->sets);
    terms->visits = memory_resize(terms->visits, size * sizeof *terms->visits);
    memset(terms->visits + terms->sets_size, 0, (size - terms->sets_size) * sizeof *terms->visits);
    terms->sets_size = size;
  }
  while (terms->input_visits.count < terms->inputs.count) vector_push(&terms->input_visits, 0);
}

static void start_visit(struct terms *terms) {
  if (++terms->visit != 0) return;
  memset(terms->visits, 0, terms->sets_size * sizeof *terms->visits);
  memset(terms->input_visits.items, 0, terms->input_visits.count * sizeof *terms->input_visits.items);
  terms->visit = 1;
}

static void add_input(struct terms *terms, input_id input) {
  if (terms->input_visits.items[input] == terms->visit) return;
  terms->input_visits.items[input] = terms->visit;
  vector_push(&terms->pool, input);
}

/* Adds the inputs of a term that is not looked into further, or puts its operands on the stack. */
static void look_into(struct terms *terms, term_id id, term_id *largest) {
  const struct term *term = node(terms, id);
  if (term->kind == TERM_INPUT) {
    add_input(terms, (input_id)term->value[0]);
    return;
  }
  if (terms->sets[id].count != UNKNOWN) {
    for (uint32_t i = 0; i < terms->sets[id].count; i++)
      add_input(terms, terms->pool.items[terms->sets[id].offset + i]);
    if (!*largest || terms->sets[id].count > terms->sets[*largest].count) *largest = id;
    return;
  }
  for (unsigned i = 0; i < term_operator_operands(term->kind); i++) {
    const term_id operand = term->operands[i];
    if (terms->visits[operand] == terms->visit) continue;
    terms->visits[operand] = terms->visit;
    vector_push(&terms->stack, operand);
  }
}

static int compare_inputs(const void *a, const void *b) {
  const input_id x = *(const input_id *)a, y = *(const input_id *)b;
  return (x > y) - (x < y);
}

static void sort(input_id *inputs, size_t count) {
  for (size_t i = 1; i < count; i++)
    if (inputs[i - 1] > inputs[i]) {
      qsort(inputs, count, sizeof *inputs, compare_inputs);
      return;
    }
}

static void compute(struct terms *terms, term_id id) {
  const uint32_t offset = (uint32_t)terms->pool.count;
  term_id largest = 0; /* of the sets that went into it */
  start_visit(terms);
  terms->stack.count = 0;
  vector_push(&terms->stack, id);
  while (terms->stack.count > 0) look_into(terms, terms->stack.items[--terms->stack.count], &largest);
  const uint32_t count = (uint32_t)terms->pool.count - offset;
  if (largest && terms->sets[largest].count == count) {
    terms->sets[id] = terms->sets[largest];
    terms->pool.count = offset;
    return;
  }
  if (count > 0) sort(terms->pool.items + offset, count);
  terms->sets[id].offset = offset;
  terms->sets[id].count = count;
}

struct input_set term_inputs(struct terms *terms, term_id id) {
  make_room(terms);
  if (terms->sets[id].count == UNKNOWN) compute(terms, id);
  if (terms->sets[id].count == 0) return (struct input_set){NULL, 0};
  return (struct input_set){terms->pool.items + terms->sets[id].offset, terms->sets[id].count};
}
