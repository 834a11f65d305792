/* SPDX-License-Identifier: MIT */
#include "explore/reachability/decision_choices.h"

#include "explore/inputs/sides.h"

#include <stdlib.h>

void choices_clear(struct decision_choices *ways) {
  ways->counts.count = ways->firsts.count = ways->sides.count = 0;
}

void choices_free(struct decision_choices *ways) {
  vector_free(&ways->counts);
  vector_free(&ways->firsts);
  vector_free(&ways->sides);
}

term_id choices_side(const struct decision_choices *ways, uint32_t decision, uint32_t way) {
  return ways->sides.items[ways->firsts.items[decision] + way];
}

/* Has the thread decided the same before? Then it cannot decide otherwise now. */
static bool is_repeated(const struct decision_choices *ways, const struct trace_view *trace, uint32_t i, term_id side) {
  for (uint32_t k = 0; k < i; k++)
    if (ways->counts.items[k] && trace->decisions[k].thread == trace->decisions[i].thread &&
        choices_side(ways, k, 0) == side)
      return true;
  return false;
}

/* Any value of the term leads to a path of its own. Which of them the thread can have depends on what it decided
 * before, in some other order perhaps, so they are not listed here. */
static bool has_no_bounds(const struct decision *decision) {
  return decision->kind == DECISION_ADDRESS && decision->low == 0;
}

static void add_others(struct decision_choices *ways, struct inputs *inputs, const struct path *path,
                       const struct path_decision *decision, struct input_notes *notes) {
  struct sides sides;
  if (has_no_bounds(decision->record) || !sides_open(&sides, inputs, decision)) return;
  if (sides.stage == SIDES_OTHER) {
    vector_push(&ways->sides, sides.other);
    return;
  }
  while (sides.stage != SIDES_OVER) {
    struct values *values = NULL;
    term_id constraint;
    const enum answer answer = sides_next(&sides, inputs, NULL, 0, path->values, &values, &constraint);
    notes_look_at_answer(notes, &sides, answer);
    if (answer == ANSWER_SATISFIABLE) vector_push(&ways->sides, constraint);
    values_release(values);
    if (answer == ANSWER_UNKNOWN) return;
  }
}

void choices_list(struct decision_choices *ways, struct inputs *inputs, const struct trace_view *trace,
                  const struct path *path, struct input_notes *notes) {
  choices_clear(ways);
  for (uint32_t i = 0; i < trace->record->n_decisions; i++) {
    const term_id side = path_side(path, i);
    const struct path_decision decision = {&trace->decisions[i], path_term(path, trace->decisions[i].term), side};
    const size_t first = ways->sides.count;
    vector_push(&ways->firsts, (uint32_t)first);
    if (side) {
      vector_push(&ways->sides, side);
      if (!is_repeated(ways, trace, i, side)) add_others(ways, inputs, path, &decision, notes);
    }
    vector_push(&ways->counts, (uint16_t)(ways->sides.count - first));
  }
  for (size_t i = 0; i < path->count; i++)
    if (decision_is_pin(path->decisions[i].record) || has_no_bounds(path->decisions[i].record))
      notes_look_at_value(notes, inputs, path, i);
}
