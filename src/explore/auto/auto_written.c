/* SPDX-License-Identifier: MIT
 *
 * The written form of the search: whose turn it is, and the parts that have begun, each in its own form. The runs under
 * way are those of the part at work.
 */
#include "explore/auto/auto.h"

/* These two have no written form. The trial of contextual is over soon. */
bool auto_can_save(const void *memory) {
  const struct auto_search *self = memory;
  return !self->parts[PART_CONTEXTUAL].self && !self->parts[PART_BOUNDED].self;
}

static void write_part(const struct auto_search *self, enum part_name name, void *const *cookies, size_t n_cookies,
                       struct text *state) {
  const struct part *part = &self->parts[name];
  written_add_number(state, part->runs);
  written_add_number(state, part->has_ended);
  written_add_number(state, part->was_cut);
  written_add_number(state, part->self != NULL);
  if (part->self) part->strategy->save(part->self, cookies, name == self->at_work ? n_cookies : 0, state);
}

void auto_save(const void *memory, void *const *cookies, size_t n_cookies, struct text *state) {
  const struct auto_search *self = memory;
  written_add_number(state, self->at_work);
  written_add_number(state, self->turn_runs);
  written_add_number(state, self->in_flight);
  written_add_number(state, self->is_over);
  written_add_number(state, self->has_threads);
  written_add_number(state, self->observes);
  written_add_number(state, self->bound.max_preemptions);
  written_add_number(state, self->bound_began_at);
  written_add_number(state, self->whole_bounds);
  written_add_number(state, self->gone.blocked_runs);
  written_add_number(state, self->gone.divergences);
  written_add_number(state, self->runs_of_bounds.count);
  for (size_t i = 0; i < self->runs_of_bounds.count; i++) written_add_number(state, self->runs_of_bounds.items[i]);
  for (unsigned name = 0; name < PARTS; name++) write_part(self, name, cookies, n_cookies, state);
}

/* Optimal has begun from the beginning. */
static bool read_part(struct auto_search *self, enum part_name name, struct written *state, void **cookies,
                      size_t n_cookies) {
  struct part *part = &self->parts[name];
  const bool is_at_work = name == self->at_work;
  part->runs = written_take_number(state);
  part->has_ended = written_take_bool(state);
  part->was_cut = written_take_bool(state);
  const bool has_begun = written_take_bool(state);
  if (state->failed) return false;
  if (!has_begun) return (name != PART_OPTIMAL && !is_at_work) || written_refuse(state);
  if (!part->strategy->load) return written_refuse(state);
  if (!part->self) auto_begin_part(self, name);
  return part->strategy->load(part->self, state, cookies, is_at_work ? n_cookies : 0);
}

bool auto_load(void *memory, struct written *state, void **cookies, size_t n_cookies) {
  struct auto_search *self = memory;
  bool good = true;
  self->at_work = (enum part_name)written_take_below(state, PARTS);
  self->turn_runs = written_take_number(state);
  self->in_flight = written_take_number(state);
  self->n_targets = (unsigned)n_cookies;
  self->is_over = written_take_bool(state);
  self->has_threads = written_take_bool(state);
  self->observes = written_take_bool(state);
  self->bound.max_preemptions = written_take_number(state);
  self->bound_began_at = written_take_number(state);
  self->whole_bounds = written_take_number(state);
  self->gone.blocked_runs = written_take_number(state);
  self->gone.divergences = written_take_number(state);
  for (size_t left = written_take_count(state, 1); left > 0 && !state->failed; left--)
    vector_push(&self->runs_of_bounds, written_take_number(state));
  for (unsigned name = 0; good && name < PARTS; name++) good = read_part(self, name, state, cookies, n_cookies);
  if (n_cookies == 0 && self->in_flight > 0) return written_refuse(state);
  if (self->whole_bounds > self->runs_of_bounds.count || self->bound_began_at > self->parts[PART_BOUNDED].runs)
    return written_refuse(state);
  return good && !state->failed;
}
