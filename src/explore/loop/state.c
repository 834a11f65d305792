/* SPDX-License-Identifier: MIT
 *
 * The state of an exploration as it is saved (explore/executor/journal.h): what was counted, known and found, the plans
 * in flight, and the strategy's state. It is written at a moment when no plan in flight has begun; whoever reads it
 * submits them again, in their order. So an exploration that goes on from a state does what the one that wrote it did
 * after that moment: nothing depends on when it was written.
 */
#include "explore/loop/internal.h"

#include "explore/executor/journal.h"
#include "explore/executor/known_written.h"

#include <stdlib.h>
#include <string.h>

/* ---- what was counted ---- */

static void write_counts(const struct exploration *self, struct text *state) {
  const struct summary *summary = &self->summary;
  const uint64_t counts[] = {summary->runs,           summary->learning_runs,  summary->deadlocked_runs,
                             summary->truncated_runs, summary->discarded_runs, summary->divergences,
                             summary->computing_runs, summary->sequences,      summary->visible_operations,
                             self->submitted_runs,    self->repeated_ticket,   self->repeated_as_diverged,
                             self->left_out,          self->held_back,         self->asked_too_much,
                             self->several_fail,      self->divergences,       self->n_computing,
                             self->estimate.runs,     summary->unfair_rounds};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) written_add_number(state, counts[i]);
  written_add_number(state, self->expected_steps);
  written_add_number(state, self->reason);
  written_add_number(state, self->isolation);
  written_add_number(state, self->first_failing);
  written_add_double(state, self->estimate.sum);
  written_add_double(state, clock_seconds() - self->started_at);
  if (self->n_computing > 0) written_add_bytes(state, &self->computing, sizeof self->computing);
}

static void read_counts(struct exploration *self, struct written *state) {
  struct summary *summary = &self->summary;
  uint64_t *const counts[] = {&summary->runs,           &summary->learning_runs,  &summary->deadlocked_runs,
                              &summary->truncated_runs, &summary->discarded_runs, &summary->divergences,
                              &summary->computing_runs, &summary->sequences,      &summary->visible_operations,
                              &self->submitted_runs,    &self->repeated_ticket};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) *counts[i] = written_take_number(state);
  self->repeated_as_diverged = written_take_bool(state);
  self->left_out = written_take_bool(state);
  self->held_back = written_take_bool(state);
  self->asked_too_much = written_take_bool(state);
  self->several_fail = written_take_bool(state);
  self->divergences = written_take_number(state);
  self->n_computing = written_take_number(state);
  self->estimate.runs = written_take_number(state);
  summary->unfair_rounds = written_take_number(state);
  self->expected_steps = (uint32_t)written_take_below(state, 1ull << 32);
  self->reason = (enum reason)written_take_below(state, REASONS);
  self->isolation = (enum isolation)written_take_below(state, ISOLATION_FORK + 1);
  self->first_failing = (uint32_t)written_take_below(state, HEDDLE_MAX_THREADS + 1u);
  self->estimate.sum = written_take_double(state);
  self->started_at -= written_take_double(state);
  if (self->n_computing == 0) return;
  written_take_bytes(state, &self->computing, sizeof self->computing);
  summary->computing = &self->computing;
}

/* ---- what was said ---- */

static void write_warnings(const struct exploration *self, struct text *state) {
  written_add_number(state, self->warnings.count);
  for (size_t i = 0; i < self->warnings.count; i++)
    written_add_text(state, self->warnings.items[i], strlen(self->warnings.items[i]));
}

static bool read_warnings(struct exploration *self, struct written *state) {
  for (size_t left = written_take_count(state, 1); left > 0 && !state->failed; left--) {
    size_t bytes;
    const char *words = written_take_text(state, &bytes);
    vector_push(&self->warnings, memory_copy_bytes(words, bytes));
  }
  return !state->failed;
}

/* ---- looks ---- */

static void write_looks(const struct exploration *self, struct text *state) {
  written_add_number(state, self->looks.count);
  for (size_t i = 0; i < self->looks.count; i++) {
    const struct look *look = &self->looks.items[i];
    written_add_number(state, look->seed);
    written_add_number(state, look->seen);
    written_add_number(state, look->failing);
    written_add_number(state, look->schedule.count);
    written_add_bytes(state, look->schedule.items, look->schedule.count * sizeof *look->schedule.items);
  }
}

static bool read_looks(struct exploration *self, struct written *state) {
  for (size_t left = written_take_count(state, 4); left > 0 && !state->failed; left--) {
    struct look look = {.seed = written_take_number(state)};
    look.seen = (uint32_t)written_take_below(state, 1ull << 32);
    look.failing = (uint32_t)written_take_below(state, HEDDLE_MAX_THREADS + 1u);
    const size_t count = written_take_count(state, sizeof *look.schedule.items);
    written_take_bytes(state, schedule_extend(&look.schedule, count), count * sizeof *look.schedule.items);
    vector_push(&self->looks, look);
    if (count > self->settings->executor.max_events) return written_refuse(state);
  }
  return !state->failed;
}

/* ---- plans in flight ---- */

static bool is_look(const struct flight *flight) {
  return flight->take == exploration_take_look;
}

static void write_flights(const struct exploration *self, struct text *state) {
  const size_t count = lane_outstanding(self->lane);
  written_add_number(state, count);
  for (size_t i = 0; i < count; i++) {
    uint64_t ticket;
    const struct plan *plan = lane_plan(self->lane, i, &ticket);
    const struct flight *flight = &self->flights[ticket % MAX_WINDOW];
    written_add_number(state, is_look(flight));
    written_add_number(state, flight->record_from);
    written_add_number(state, flight->failing);
    written_add_text(state, (const char *)plan, plan->size_bytes);
  }
}

/* One that the executor takes as it is. */
static bool plan_fits(const struct exploration *self, const struct plan *plan, size_t size_bytes) {
  if (!plan_is_sound(plan, size_bytes)) return false;
  const bool can_sleep = plan->record_from < plan->n_steps || plan->flags & PLAN_WAITS;
  return plan->n_steps <= self->settings->executor.max_events && plan->n_inputs == 0 &&
         (plan->n_sleepers == 0 || can_sleep);
}

static void submit_again(struct exploration *self, const struct plan *plan, const struct flight *flight) {
  const uint64_t ticket = lane_submit(self->lane, plan, plan_steps(plan), plan->n_steps, NULL, 0);
  if (plan->n_sleepers > 0) lane_add_sleepers(self->lane, plan_sleepers(plan), plan->n_sleepers);
  self->flights[ticket % MAX_WINDOW] = *flight;
}

static bool read_flight(struct exploration *self, struct written *state) {
  size_t size_bytes;
  struct flight flight = {.take = written_take_bool(state) ? exploration_take_look : exploration_take_target};
  flight.record_from = (uint32_t)written_take_below(state, 1ull << 32);
  flight.failing = (uint32_t)written_take_below(state, HEDDLE_MAX_THREADS + 1u);
  const char *bytes = written_take_text(state, &size_bytes);
  struct plan *plan = memory_allocate(size_bytes + 1); /* at a multiple of 8 */
  memcpy(plan, bytes, size_bytes);
  const bool fits = !state->failed && plan_fits(self, plan, size_bytes);
  if (fits) flight.runs = plan->runs;
  if (fits) submit_again(self, plan, &flight);
  free(plan);
  return fits || written_refuse(state);
}

static bool read_flights(struct exploration *self, struct written *state) {
  bool good = true;
  for (size_t left = written_take_below(state, self->settings->strategy->window + 1); good && left > 0; left--)
    good = read_flight(self, state);
  return good && !state->failed;
}

/* There may be more of them than --max-runs allows now. */
static void hold_flights(struct exploration *self) {
  const size_t count = lane_outstanding(self->lane);
  uint64_t ticket, runs = self->submitted_runs;
  for (size_t i = count; i-- > 0;) {
    lane_plan(self->lane, i, &ticket);
    if (is_look(&self->flights[ticket % MAX_WINDOW])) continue;
    runs -= self->flights[ticket % MAX_WINDOW].runs;
    if (runs < self->max_runs) return;
    lane_hold(self->lane, ticket);
  }
}

/* ---- the strategy ---- */

/* The flights that are runs of the strategy. */
static size_t list_targets(struct exploration *self, struct flight *targets[MAX_WINDOW]) {
  size_t n_targets = 0;
  for (size_t i = 0; i < lane_outstanding(self->lane); i++) {
    uint64_t ticket;
    lane_plan(self->lane, i, &ticket);
    if (!is_look(&self->flights[ticket % MAX_WINDOW])) targets[n_targets++] = &self->flights[ticket % MAX_WINDOW];
  }
  return n_targets;
}

static void write_strategy(struct exploration *self, struct text *state) {
  struct flight *targets[MAX_WINDOW];
  void *cookies[MAX_WINDOW];
  const size_t count = list_targets(self, targets);
  for (size_t i = 0; i < count; i++) cookies[i] = targets[i]->cookie;
  self->settings->strategy->save(self->strategy, cookies, count, state);
}

static bool read_strategy(struct exploration *self, struct written *state) {
  struct flight *targets[MAX_WINDOW];
  void *cookies[MAX_WINDOW];
  const size_t count = list_targets(self, targets);
  exploration_create_strategy(self);
  if (!self->settings->strategy->load(self->strategy, state, cookies, count)) return false;
  for (size_t i = 0; i < count; i++) targets[i]->cookie = cookies[i];
  return true;
}

/* ---- all of it ---- */

static void write_state(struct exploration *self, struct text *state) {
  write_counts(self, state);
  lane_write_known(self->lane, state);
  knowledge_write(self->known, state);
  findings_write(&self->findings, state);
  write_warnings(self, state);
  write_looks(self, state);
  syn_objects_write(&self->objects, state);
  sequences_write(&self->sequences, state);
  write_flights(self, state);
  write_strategy(self, state);
}

static bool read_state(struct exploration *self, struct written *state) {
  read_counts(self, state);
  return lane_read_known(self->lane, state) && knowledge_read(self->known, state) &&
         findings_read(&self->findings, state) && read_warnings(self, state) && read_looks(self, state) &&
         syn_objects_read(&self->objects, state) && sequences_read(&self->sequences, state) &&
         read_flights(self, state) && read_strategy(self, state) && written_is_over(state);
}

/* A strategy that was told that the time is over may have left its work unfinished. */
static bool can_save(const struct exploration *self) {
  const struct strategy *strategy = self->settings->strategy;
  if (strategy->can_save && !strategy->can_save(self->strategy)) return false;
  return !self->stop && !self->restart && !self->has_kept && !self->deadline.is_over && inputs_count(self->inputs) == 0;
}

void exploration_save_state(struct exploration *self) {
  struct text state = {0};
  if (!self->settings->strategy->save || !can_save(self) || !lane_wants_state(self->lane)) return;
  exploration_settle(self);
  if (!can_save(self)) return;
  write_state(self, &state);
  lane_save_state(self->lane, &state);
  text_free(&state);
}

bool exploration_load_state(struct exploration *self, const struct text *text, struct error *error) {
  struct written state = {text->string, text->string + text->length, false};
  if (!self->settings->strategy->load || !read_state(self, &state))
    return error_set(error, "the saved exploration is damaged: it has to be explored anew");
  hold_flights(self);
  exploration_tell_again(self);
  return true;
}
