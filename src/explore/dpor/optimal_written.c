/* SPDX-License-Identifier: MIT
 *
 * The written form of the state of strategy `optimal`: its tree (wakeup_written.c) and which leaves are under way. The
 * order and the ways are caches, and are made again.
 */
#include "explore/dpor/optimal.h"

void optimal_save(const void *memory, void *const *cookies, size_t n_cookies, struct text *state) {
  const struct optimal *self = memory;
  struct wakeup_node *leaves[WINDOW];
  for (size_t i = 0; i < n_cookies; i++) leaves[i] = ((const struct optimal_attempt *)cookies[i])->leaf;
  wakeup_write(&self->tree, leaves, n_cookies, state);
  for (size_t i = 0; i < n_cookies; i++)
    written_add_number(state, ((const struct optimal_attempt *)cookies[i])->record_from);
  written_add_number(state, self->runs);
  written_add_number(state, self->events);
  written_add_number(state, self->blocked_runs);
  written_add_number(state, self->is_giving_out);
  written_add_number(state, self->has_cut);
  written_add_number(state, self->was_wrong);
  notes_write(&self->notes, state);
}

/* What is recorded begins at a point that a run had reached. */
static void *read_attempt(struct optimal *self, struct wakeup_node *leaf, struct written *state) {
  struct optimal_attempt *attempt = self->unused;
  self->unused = attempt->next;
  attempt->leaf = leaf;
  attempt->record_from = (uint32_t)written_take_below(state, leaf->depth + 1ull);
  while (leaf->depth > attempt->record_from) leaf = leaf->parent;
  if (!leaf->was_reached) written_refuse(state);
  return attempt;
}

bool optimal_load(void *memory, struct written *state, void **cookies, size_t n_cookies) {
  struct optimal *self = memory;
  struct wakeup_node *leaves[WINDOW];
  if (n_cookies > WINDOW) return false;
  wakeup_free(&self->tree);
  wakeup_init(&self->tree);
  if (!wakeup_read(&self->tree, state, self->max_steps, leaves, n_cookies)) return false;
  for (size_t i = 0; i < n_cookies; i++) cookies[i] = read_attempt(self, leaves[i], state);
  self->n_under_way = (uint32_t)n_cookies;
  self->runs = written_take_number(state);
  self->events = written_take_number(state);
  self->blocked_runs = written_take_number(state);
  self->is_giving_out = written_take_bool(state);
  self->has_cut = written_take_bool(state);
  self->was_wrong = written_take_bool(state);
  notes_read(&self->notes, state);
  return !state->failed;
}
