/* SPDX-License-Identifier: MIT
 *
 * A batch is one exchange with the executor. Its size doubles or halves until it takes 10 to 50 ms: long enough that
 * the exchange costs nothing, short enough to look at the clock and at Ctrl-C in between.
 *
 * With inputs the size is fixed, since what is learned from the last run of a batch decides which inputs come next, and
 * that must not depend on the clock: one run when the program has one thread, else some schedules for the same inputs.
 */
#include "explore/sampling/sampling.h"

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
  self->priority_changes = settings->depth > 0 ? settings->depth - 1 : 0;
  self->expected_steps = settings->expected_steps;
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
  if (self->under_way) return false;
  self->under_way = true;
  self->started_at = now_microseconds();
  target->plan.seed = self->seed + self->runs;
  target->plan.runs = self->batch_runs;
  if (self->input_runs > 0) choose_inputs(self, target);
  return true;
}

static void adapt_batch(struct sampling *self) {
  const int64_t taken = now_microseconds() - self->started_at;
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
  if (runs >= self->batch_runs && self->input_runs == 0) adapt_batch(self);
  self->runs += runs;
  self->steps += trace->record->plan_steps;
  self->under_way = false;
}

void sampling_stats(const void *memory, struct strategy_stats *stats) {
  const struct sampling *self = memory;
  *stats = (struct strategy_stats){.events = self->steps, .bounded = true};
}

/* Whatever ends it, there are more runs. */
void sampling_account(const void *memory, struct account *account) {
  (void)memory;
  account_add_reason(account, REASON_MAX_RUNS);
}
