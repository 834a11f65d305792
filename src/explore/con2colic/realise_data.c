/* SPDX-License-Identifier: MIT
 *
 * Replacing symbols by what reads see, and cores by leaving out: first constraints, then local reads, one by one, as
 * long as what is left has no solution.
 */
#include "explore/con2colic/realise_data.h"

#include "base/error.h"

#include <stdlib.h>

#define MOST_CONSTRAINTS_TO_SHRINK 40

void realiser_data_start(struct realiser_data *self, struct inputs *inputs) {
  self->inputs = inputs;
  self->reads.count = self->constraints.count = 0;
  self->core_reads.count = self->core_constraints.count = 0;
  self->is_unsure = false;
  self->stamp++;
}

void realiser_data_free(struct realiser_data *self) {
  vector_free(&self->reads);
  vector_free(&self->constraints);
  vector_free(&self->read_of);
  vector_free(&self->read_stamps);
  vector_free(&self->memo);
  vector_free(&self->memo_stamps);
  vector_free(&self->parts);
  vector_free(&self->core_reads);
  vector_free(&self->core_constraints);
}

void realiser_data_add_read(struct realiser_data *self, term_id symbol, term_id seen, uint32_t index, bool is_local) {
  const struct term *term = term_at(inputs_terms(self->inputs), symbol);
  BUG_ON(term->kind != TERM_INPUT);
  const input_id input = (input_id)term->value[0];
  while (self->read_of.count <= input) {
    vector_push(&self->read_of, 0);
    vector_push(&self->read_stamps, 0);
  }
  vector_push(&self->reads, ((struct data_read){.symbol = symbol, .seen = seen, .index = index, .is_local = is_local}));
  self->read_of.items[input] = (uint32_t)self->reads.count;
  self->read_stamps.items[input] = self->stamp;
}

void realiser_data_add_constraint(struct realiser_data *self, term_id term, uint32_t index) {
  vector_push(&self->constraints, ((struct data_constraint){term, index}));
}

/* --- replacing --- */

static struct data_read *read_of_input(struct realiser_data *self, input_id input) {
  if (input >= self->read_of.count || self->read_stamps.items[input] != self->stamp) return NULL;
  return &self->reads.items[self->read_of.items[input] - 1];
}

static term_id replace(struct realiser_data *self, term_id id);

static term_id replace_symbol(struct realiser_data *self, term_id id, input_id input) {
  struct data_read *read = read_of_input(self, input);
  if (!read || read->is_free || read->is_open) return id;
  read->touch = self->touch;
  if (!read->seen) {
    self->is_unsure = true;
    return id;
  }
  read->is_open = true;
  const term_id seen = replace(self, read->seen);
  read->is_open = false;
  return seen;
}

static term_id replace_operands(struct realiser_data *self, const struct term *term, term_id id) {
  struct terms *terms = inputs_terms(self->inputs);
  term_id operands[3] = {0};
  bool changed = false;
  for (unsigned i = 0; i < 3 && term->operands[i]; i++) {
    operands[i] = replace(self, term->operands[i]);
    changed |= operands[i] != term->operands[i];
  }
  if (!changed) return id;
  switch ((enum term_operator)term->kind) {
  case TERM_ZERO_EXTEND:
  case TERM_SIGN_EXTEND: return term_extend(terms, term->kind, term->width, operands[0]);
  case TERM_EXTRACT: return term_extract(terms, term->low, term->width, operands[0]);
  default: return term_make(terms, term->kind, operands[0], operands[1], operands[2]);
  }
}

static term_id replace(struct realiser_data *self, term_id id) {
  while (self->memo.count <= id) {
    vector_push(&self->memo, 0);
    vector_push(&self->memo_stamps, 0);
  }
  if (self->memo_stamps.items[id] == self->memo_stamp) return self->memo.items[id];
  const struct term term = *term_at(inputs_terms(self->inputs), id); /* a copy: making terms moves them */
  term_id made = id;
  if (term.kind == TERM_INPUT)
    made = replace_symbol(self, id, (input_id)term.value[0]);
  else if (term.kind != TERM_CONSTANT)
    made = replace_operands(self, &term, id);
  self->memo.items[id] = made;
  self->memo_stamps.items[id] = self->memo_stamp;
  return made;
}

/* --- questions --- */

static void start_replacing(struct realiser_data *self) {
  self->memo_stamp++;
  self->touch++;
}

/* Replaces the constraints whose `is_in` says so; false: one of them never holds, and only that one is left. */
static bool replace_all(struct realiser_data *self, const bool *is_in, size_t *culprit) {
  struct terms *terms = inputs_terms(self->inputs);
  start_replacing(self);
  self->parts.count = 0;
  for (size_t i = 0; i < self->constraints.count; i++) {
    bits value;
    if (is_in && !is_in[i]) continue;
    const term_id made = replace(self, self->constraints.items[i].term);
    if (!term_is_constant(terms, made, &value)) {
      vector_push(&self->parts, made);
    } else if (value != 1) {
      *culprit = i;
      return false;
    }
  }
  return true;
}

bool realiser_data_has_contradiction(struct realiser_data *self) {
  size_t culprit;
  if (replace_all(self, NULL, &culprit)) return false;
  vector_push(&self->core_constraints, self->constraints.items[culprit].index);
  return true;
}

static enum answer solve_parts(struct realiser_data *self, const struct values *hint, struct values **solution) {
  if (self->parts.count == 0) {
    *solution = values_hold((struct values *)hint);
    return ANSWER_SATISFIABLE;
  }
  return inputs_solve(self->inputs, self->parts.items, self->parts.count, 0, hint, solution);
}

static bool has_solution(struct realiser_data *self, const bool *is_in, const struct values *hint) {
  struct values *solution = NULL;
  size_t culprit;
  if (!replace_all(self, is_in, &culprit)) return false;
  const enum answer answer = solve_parts(self, hint, &solution);
  if (answer == ANSWER_SATISFIABLE) values_release(solution);
  return answer != ANSWER_UNSATISFIABLE;
}

/* --- cores --- */

static void only(const struct realiser_data *self, bool *is_in, size_t one) {
  for (size_t i = 0; i < self->constraints.count; i++) is_in[i] = i == one;
}

static void shrink_constraints(struct realiser_data *self, bool *is_in, const struct values *hint) {
  size_t culprit = SIZE_MAX;
  if (!replace_all(self, is_in, &culprit)) {
    only(self, is_in, culprit);
    return;
  }
  if (self->constraints.count > MOST_CONSTRAINTS_TO_SHRINK) return;
  for (size_t i = 0; i < self->constraints.count; i++) {
    if (!is_in[i]) continue;
    is_in[i] = false;
    if (has_solution(self, is_in, hint)) is_in[i] = true;
  }
}

/* Reads that the constraints use, by what they were replaced by. */
static void shrink_reads(struct realiser_data *self, const bool *is_in, const struct values *hint) {
  size_t culprit;
  replace_all(self, is_in, &culprit);
  for (size_t i = 0; i < self->reads.count; i++) {
    struct data_read *read = &self->reads.items[i];
    read->is_candidate = read->is_local && read->touch == self->touch;
  }
  for (size_t i = 0; i < self->reads.count; i++) {
    struct data_read *read = &self->reads.items[i];
    if (!read->is_candidate) continue;
    read->is_free = true;
    if (!has_solution(self, is_in, hint)) continue;
    read->is_free = false;
    vector_push(&self->core_reads, read->index);
  }
}

/* A read that matters may have been asked before one that turned out not to: only those still used are in the core. */
static void keep_used(struct realiser_data *self, const bool *is_in) {
  size_t culprit, kept = 0;
  replace_all(self, is_in, &culprit);
  for (size_t i = 0; i < self->core_reads.count; i++)
    for (size_t k = 0; k < self->reads.count; k++)
      if (self->reads.items[k].index == self->core_reads.items[i] && self->reads.items[k].touch == self->touch) {
        self->core_reads.items[kept++] = self->core_reads.items[i];
        break;
      }
  self->core_reads.count = kept;
}

static void find_core(struct realiser_data *self, const struct values *hint) {
  bool *is_in = memory_allocate(self->constraints.count + 1);
  for (size_t i = 0; i < self->constraints.count; i++) is_in[i] = true;
  shrink_constraints(self, is_in, hint);
  shrink_reads(self, is_in, hint);
  keep_used(self, is_in);
  for (size_t i = 0; i < self->constraints.count; i++)
    if (is_in[i]) vector_push(&self->core_constraints, self->constraints.items[i].index);
  free(is_in);
}

static void list_all_local(struct realiser_data *self) {
  for (size_t i = 0; i < self->reads.count; i++)
    if (self->reads.items[i].is_local) vector_push(&self->core_reads, self->reads.items[i].index);
}

enum answer realiser_data_solve(struct realiser_data *self, const struct values *hint, bool wants_core,
                                struct values **solution) {
  size_t culprit;
  enum answer answer = ANSWER_UNSATISFIABLE;
  if (replace_all(self, NULL, &culprit)) answer = solve_parts(self, hint, solution);
  if (self->is_unsure) {
    if (answer == ANSWER_SATISFIABLE) values_release(*solution);
    *solution = NULL;
    return ANSWER_UNKNOWN;
  }
  if (answer != ANSWER_UNSATISFIABLE) return answer;
  if (wants_core)
    find_core(self, hint);
  else
    list_all_local(self);
  return answer;
}
