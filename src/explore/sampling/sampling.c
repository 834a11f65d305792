/* SPDX-License-Identifier: MIT
 *
 * A batch is one exchange with the executor. Its size doubles or halves until it takes 10 to 50 ms: long enough that
 * the exchange costs nothing, short enough to look at the clock and at Ctrl-C in between.
 *
 * With inputs the size is fixed, since what is learned from the last run of a batch decides which inputs come next, and
 * that must not depend on the clock: one run when the program has one thread, else some schedules for the same inputs.
 */
#include "explore/sampling/sampling.h"

#include "base/error.h"

#include <stdlib.h>
#include <time.h>

#define FIRST_BATCH 16
#define LARGEST_BATCH (1u << 20)
#define SHORT_MICROSECONDS 10000
#define LONG_MICROSECONDS 50000
#define SCHEDULES_PER_INPUTS 8

static int64_t now_microseconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000000 + time.tv_nsec / 1000;
}

void *sampling_create(const struct strategy_settings *settings) {
  struct sampling *self = memory_allocate(sizeof *self);
  self->seed = settings->seed;
  self->batch_runs = FIRST_BATCH;
  self->expected_steps = settings->expected_steps;
  self->one_at_a_time = settings->is_saved;
  self->inputs = settings->inputs;
  if (self->inputs) self->generations = generations_create(self->inputs, settings->seed);
  if (self->inputs && inputs_count(self->inputs) > 0) self->input_runs = 1;
  return self;
}

void sampling_destroy(void *memory) {
  struct sampling *self = memory;
  generations_destroy(self->generations);
  free(self);
}

static void choose_inputs(struct sampling *self, struct target *target) {
  struct values *values = NULL;
  target->plan.runs = self->input_runs;
  self->solved_turn = !self->solved_turn;
  if (!self->solved_turn && generations_next(self->generations, &values)) {
    inputs_append_values(self->inputs, values, &target->inputs);
    values_release(values);
    return;
  }
  target->plan.flags |= PLAN_RANDOM_INPUTS;
}

bool sampling_next(struct sampling *self, struct target *target) {
  const unsigned window = self->input_runs > 0 || self->one_at_a_time ? 1 : SAMPLING_WINDOW;
  if (self->n_under_way >= window) return false;
  if (self->n_under_way == 0) self->started_at = now_microseconds();
  target->plan.seed = self->seed + self->planned;
  target->plan.runs = self->batch_runs;
  if (self->n_under_way > 0) target->plan.flags |= PLAN_CONDITIONAL;
  if (self->input_runs > 0) choose_inputs(self, target);
  self->n_under_way++;
  self->planned += target->plan.runs;
  return true;
}

/* Only those of the present size say whether it is right. */
static void adapt_batch(struct sampling *self, int64_t taken, uint64_t runs) {
  if (runs != self->batch_runs || self->input_runs > 0) return;
  if (taken < SHORT_MICROSECONDS && self->batch_runs < LARGEST_BATCH) self->batch_runs *= 2;
  if (taken > LONG_MICROSECONDS && self->batch_runs > 1) self->batch_runs /= 2;
}

void sampling_absorb(void *memory, void *cookie, const struct trace_view *trace, const struct path *path,
                     uint64_t runs) {
  struct sampling *self = memory;
  if (path) {
    generations_add(self->generations, path);
    self->input_runs = trace->record->n_threads > 1 ? SCHEDULES_PER_INPUTS : 1;
  }
  const int64_t now = now_microseconds();
  adapt_batch(self, now - self->started_at, runs);
  self->started_at = now;
  self->runs += runs;
  self->steps += trace->record->plan_steps;
  self->n_under_way = trace_is_quiet(trace->record) ? self->n_under_way - 1 : 0;
  if (self->n_under_way == 0) self->planned = self->runs;
}

void sampling_stats(const void *memory, struct strategy_stats *stats) {
  const struct sampling *self = memory;
  *stats = (struct strategy_stats){.events = self->steps, .bounded = true};
}

/* Where it stands in the seeds. Batches have no cookies: they come back in their order. */
void sampling_save(const void *memory, void *const *cookies, size_t n_cookies, struct text *state) {
  const struct sampling *self = memory;
  (void)cookies;
  BUG_ON(self->input_runs > 0 || n_cookies != self->n_under_way);
  written_add_number(state, self->steps);
  written_add_number(state, self->runs);
  written_add_number(state, self->planned);
  written_add_number(state, self->batch_runs);
}

bool sampling_load(void *memory, struct written *state, void **cookies, size_t n_cookies) {
  struct sampling *self = memory;
  self->steps = written_take_number(state);
  self->runs = written_take_number(state);
  self->planned = written_take_number(state);
  self->batch_runs = written_take_below(state, LARGEST_BATCH + 1);
  self->n_under_way = (unsigned)n_cookies;
  self->started_at = now_microseconds();
  for (size_t i = 0; i < n_cookies; i++) cookies[i] = NULL;
  return !state->failed && self->batch_runs > 0 && self->planned >= self->runs && n_cookies <= SAMPLING_WINDOW;
}

/* Whatever ends it, there are more runs. */
void sampling_account(const void *memory, struct account *account) {
  (void)memory;
  account_add_reason(account, REASON_MAX_RUNS);
}
