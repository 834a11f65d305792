/* SPDX-License-Identifier: MIT */
#include "explore/strategy/input_notes.h"

/* Once is enough to know. */
void notes_look_at_value(struct input_notes *notes, struct inputs *inputs, const struct path *path, size_t i) {
  if (!notes->made_concrete) notes->made_concrete = sides_can_differ(inputs, path, i);
}

void notes_look_at_decision(struct input_notes *notes, struct inputs *inputs, const struct path *path, size_t i) {
  if (decision_is_pin(path->decisions[i].record)) notes_look_at_value(notes, inputs, path, i);
}

void notes_look_at_answer(struct input_notes *notes, const struct sides *sides, enum answer answer) {
  notes->unsolved |= answer == ANSWER_UNKNOWN;
  notes->addresses_left |= sides->stage == SIDES_OVER && sides->beyond_bound;
}

void notes_tell(const struct input_notes *notes, struct strategy_stats *stats) {
  stats->divergences = notes->divergences;
  stats->unsolved = notes->unsolved;
  stats->made_concrete = notes->made_concrete;
  stats->addresses_left = notes->addresses_left;
  stats->lost = notes->lost;
}

void notes_write(const struct input_notes *notes, struct text *state) {
  written_add_number(state, notes->divergences);
  written_add_number(state, notes->unsolved);
  written_add_number(state, notes->made_concrete);
  written_add_number(state, notes->addresses_left);
  written_add_number(state, notes->lost);
}

void notes_read(struct input_notes *notes, struct written *state) {
  notes->divergences = written_take_number(state);
  notes->unsolved = written_take_bool(state);
  notes->made_concrete = written_take_bool(state);
  notes->addresses_left = written_take_bool(state);
  notes->lost = written_take_bool(state);
}

bool path_decides(const struct path *path, size_t count, uint32_t depth) {
  return path && path->count > count && path->decisions[count].record->step <= depth;
}

size_t path_first_at(const struct path *path, uint32_t depth) {
  size_t low = 0, high = path->count;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (path->decisions[middle].record->step < depth)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

bool path_takes(const struct path *path, size_t i, uint32_t depth, term_id constraint) {
  return path && i < path->count && path->decisions[i].record->step == depth &&
         path->decisions[i].constraint == constraint;
}

bool run_is_lost(const struct inputs *inputs, const struct trace_view *trace, const struct path *path) {
  return inputs && !path && inputs_count(inputs) > 0 && trace->record->outcome == OUTCOME_VANISHED;
}
