/* SPDX-License-Identifier: MIT
 *
 * The value of terms under a model.
 */
#include "base/error.h"
#include "expr/internal.h"

#include <stdlib.h>
#include <string.h>

bits term_operator_apply(const struct term *term, const unsigned widths[3], const bits values[3]) {
  const bits value = operator_apply(term->kind, widths[0], widths[1], term->low, values[0], values[1], values[2]);
  return value & bits_mask(term->width);
}

/* --- models --- */

bits model_value(const struct model *model, input_id input) {
  return input < model->values.count ? model->values.items[input] : 0;
}

void model_set(struct model *model, input_id input, bits value) {
  while (model->values.count <= input) vector_push(&model->values, 0);
  model->values.items[input] = value;
}

void model_copy(struct model *to, const struct model *from) {
  to->values.count = 0;
  for (size_t i = 0; i < from->values.count; i++) vector_push(&to->values, from->values.items[i]);
}

void model_free(struct model *model) {
  vector_free(&model->values);
}

/* --- evaluation: operands first, with a stack of our own, since terms can be deep --- */

void terms_start_evaluation(struct terms *terms) {
  if (terms->memo_size < terms->nodes.count) {
    const size_t size = terms->nodes.capacity;
    terms->memo = memory_resize(terms->memo, size * sizeof *terms->memo);
    terms->stamps = memory_resize(terms->stamps, size * sizeof *terms->stamps);
    memset(terms->stamps + terms->memo_size, 0, (size - terms->memo_size) * sizeof *terms->stamps);
    terms->memo_size = size;
  }
  if (++terms->round == 0) {
    memset(terms->stamps, 0, terms->memo_size * sizeof *terms->stamps);
    terms->round = 1;
  }
}

static void settle(struct terms *terms, term_id id, bits value) {
  terms->memo[id] = value & bits_mask(node(terms, id)->width);
  terms->stamps[id] = terms->round;
  terms->evaluated++;
}

/* Pushes the operands that have no value yet; true if there are none. */
static bool operands_are_settled(struct terms *terms, const struct term *term) {
  bool settled = true;
  for (unsigned i = 0; i < term_operator_operands(term->kind); i++) {
    if (terms->stamps[term->operands[i]] == terms->round) continue;
    vector_push(&terms->stack, term->operands[i]);
    settled = false;
  }
  return settled;
}

static bits value_of_node(struct terms *terms, const struct term *term, const struct model *model) {
  if (term->kind == TERM_CONSTANT) return constant_value(term);
  if (term->kind == TERM_INPUT) return model_value(model, (input_id)term->value[0]);
  unsigned widths[3] = {0};
  bits values[3] = {0};
  for (unsigned i = 0; i < term_operator_operands(term->kind); i++) {
    widths[i] = node(terms, term->operands[i])->width;
    values[i] = terms->memo[term->operands[i]];
  }
  return term_operator_apply(term, widths, values);
}

bits terms_evaluate_next(struct terms *terms, term_id id, const struct model *model) {
  if (terms->stamps[id] == terms->round) return terms->memo[id];
  terms->stack.count = 0;
  vector_push(&terms->stack, id);
  while (terms->stack.count > 0) {
    const term_id top = terms->stack.items[terms->stack.count - 1];
    const struct term *term = node(terms, top);
    if (terms->stamps[top] != terms->round) {
      if (!operands_are_settled(terms, term)) continue;
      settle(terms, top, value_of_node(terms, term, model));
    }
    terms->stack.count--;
  }
  return terms->memo[id];
}

uint64_t terms_evaluated(const struct terms *terms) {
  return terms->evaluated;
}

bits term_evaluate(struct terms *terms, term_id id, const struct model *model) {
  terms_start_evaluation(terms);
  return terms_evaluate_next(terms, id, model);
}

bool terms_hold(struct terms *terms, const term_id *ids, size_t count, const struct model *model) {
  terms_start_evaluation(terms);
  for (size_t i = 0; i < count; i++)
    if (terms_evaluate_next(terms, ids[i], model) != 1) return false;
  return true;
}
