/* SPDX-License-Identifier: MIT */
#include "explore/inputs/sides.h"

static term_id compare(struct inputs *inputs, enum term_operator kind, term_id a, term_id b) {
  return term_make(inputs_terms(inputs), kind, a, b, 0);
}

static void open_address(struct sides *sides, struct inputs *inputs, const struct path_decision *decision) {
  struct terms *terms = inputs_terms(inputs);
  const struct decision *record = decision->record;
  const unsigned width = term_at(terms, decision->term)->width;
  const term_id low = term_constant(terms, width, record->low), high = term_constant(terms, width, record->high);
  const bool is_inside = record->value >= record->low && record->value <= record->high;
  const term_id inside = compare(inputs, TERM_AND, compare(inputs, TERM_LESS_EQUAL, low, decision->term),
                                 compare(inputs, TERM_LESS_EQUAL, decision->term, high));
  sides->above = compare(inputs, TERM_LESS, high, decision->term);
  sides->below = compare(inputs, TERM_LESS, decision->term, low);
  sides->inside = is_inside ? compare(inputs, TERM_AND, inside, term_not(terms, decision->constraint)) : inside;
  sides->stage = is_inside ? SIDES_ABOVE : SIDES_INSIDE;
  sides->taken = is_inside;
}

bool sides_open(struct sides *sides, struct inputs *inputs, const struct path_decision *decision) {
  const struct decision *record = decision->record;
  *sides = (struct sides){.term = decision->term};
  switch ((enum decision_kind)record->kind) {
  case DECISION_ASSUME:
    if (record->value & 1) return false;
    sides->other = decision->term;
    return true;
  case DECISION_BRANCH:
    /* As a run that takes it will say it: not the negation of what this run says, which may be another term. */
    sides->other = record->value & 1 ? term_not(inputs_terms(inputs), decision->term) : decision->term;
    return true;
  case DECISION_ADDRESS:
    if (decision_is_pin(record)) return false;
    open_address(sides, inputs, decision);
    return true;
  default: return false;
  }
}

/* What is asked now, and what will be asked when the answer is no, or yes. */
static term_id question(const struct sides *sides, enum sides_stage *if_not, enum sides_stage *if_found) {
  switch (sides->stage) {
  case SIDES_ABOVE: *if_not = SIDES_BELOW, *if_found = SIDES_INSIDE; return sides->above;
  case SIDES_BELOW: *if_not = SIDES_INSIDE, *if_found = SIDES_INSIDE; return sides->below;
  case SIDES_INSIDE: *if_not = SIDES_OVER, *if_found = SIDES_INSIDE; return sides->inside;
  default: *if_not = SIDES_OVER, *if_found = SIDES_OVER; return sides->other;
  }
}

/* The solution has some address: that one, and no other, is the side it takes. */
static term_id address_taken(struct sides *sides, struct inputs *inputs, bool inside) {
  struct terms *terms = inputs_terms(inputs);
  const unsigned width = term_at(terms, sides->term)->width;
  const bits value = inputs_value_in_solution(inputs, sides->term);
  const term_id constraint = compare(inputs, TERM_EQUAL, sides->term, term_constant(terms, width, value));
  if (inside) sides->inside = compare(inputs, TERM_AND, sides->inside, term_not(terms, constraint));
  sides->taken += inside;
  return constraint;
}

enum answer sides_next(struct sides *sides, struct inputs *inputs, const term_id *constraints, size_t count,
                       const struct values *hint, struct values **solution, term_id *constraint) {
  enum sides_stage if_not, if_found;
  const enum sides_stage stage = sides->stage;
  const uint32_t most = inputs_max_address_targets(inputs);
  const bool at_bound = stage == SIDES_INSIDE && most > 0 && sides->taken >= most;
  const enum answer answer =
      inputs_solve(inputs, constraints, count, question(sides, &if_not, &if_found), hint, solution);
  if (at_bound) {
    sides->stage = SIDES_OVER;
    sides->beyond_bound = answer == ANSWER_SATISFIABLE;
    if (answer != ANSWER_SATISFIABLE) return answer;
    values_release(*solution);
    *solution = NULL;
    return ANSWER_UNSATISFIABLE;
  }
  sides->stage = answer == ANSWER_SATISFIABLE ? if_found : if_not;
  if (answer == ANSWER_SATISFIABLE)
    *constraint = stage == SIDES_OTHER ? sides->other : address_taken(sides, inputs, stage == SIDES_INSIDE);
  return answer;
}

bool sides_can_differ(struct inputs *inputs, const struct path *path, size_t count) {
  struct values *solution = NULL;
  const term_id other = term_not(inputs_terms(inputs), path->constraints[count]);
  const enum answer answer = inputs_solve(inputs, path->constraints, count, other, path->values, &solution);
  if (answer == ANSWER_SATISFIABLE) values_release(solution);
  return answer != ANSWER_UNSATISFIABLE;
}
