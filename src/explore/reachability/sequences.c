/* SPDX-License-Identifier: MIT */
#include "explore/reachability/sequences.h"

#include "trace/tables.h"

#include <stdlib.h>

void sequences_clear(struct sequences *sequences) {
  number_set_free(&sequences->seen);
  sequences->seen = (struct number_set){0};
  sequences->twice = 0;
}

void sequences_free(struct sequences *sequences) {
  number_set_free(&sequences->seen);
  syn_run_free(&sequences->run);
  vector_free(&sequences->ways);
  vector_free(&sequences->sides);
}

static void list_sides(struct sequences *sequences, const struct trace_view *trace, const struct path *path) {
  sequences->ways.count = sequences->sides.count = 0;
  for (uint32_t i = 0; i < trace->record->n_decisions; i++) {
    const term_id side = path_side(path, i);
    vector_push(&sequences->ways, side ? 1 : 0);
    vector_push(&sequences->sides, side);
  }
}

void sequences_add(struct sequences *sequences, const struct syn_objects *objects, const struct trace_view *trace,
                   const struct path *path) {
  const enum outcome_class class = outcome_row(trace->record->outcome)->class;
  uint64_t signature[2];
  if (class == OUTCOME_IN_VAIN || class == OUTCOME_INTERNAL) return;
  if (path) list_sides(sequences, trace, path);
  syn_run_build(&sequences->run, objects, trace, path ? sequences->ways.items : NULL, NULL);
  syn_run_signature(&sequences->run, path ? sequences->sides.items : NULL, signature);
  if (!number_set_add(&sequences->seen, hash_mix(signature[0], signature[1]))) sequences->twice++;
}

void sequences_write(const struct sequences *sequences, struct text *state) {
  written_add_number(state, sequences->twice);
  written_add_number(state, sequences->seen.has_zero);
  written_add_number(state, sequences->seen.count);
  for (size_t i = 0; i < sequences->seen.size; i++)
    if (sequences->seen.slots[i]) written_add_number(state, sequences->seen.slots[i]);
}

bool sequences_read(struct sequences *sequences, struct written *state) {
  sequences->twice = written_take_number(state);
  sequences->seen.has_zero = written_take_bool(state);
  for (size_t left = written_take_count(state, 1); left > 0 && !state->failed; left--)
    number_set_add(&sequences->seen, written_take_number(state));
  return !state->failed;
}
