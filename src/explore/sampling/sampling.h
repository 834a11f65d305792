/* SPDX-License-Identifier: MIT
 *
 * What the strategies that only draw schedules have in common: run k uses seed + k, whatever the size of the batches,
 * so that a seed gives the same runs every time. They never end by themselves and never know that nothing is left.
 *
 * With inputs, batches whose inputs take a side of a decision that no run was asked to take (generations.h) alternate
 * with batches whose inputs are drawn.
 */
#ifndef HEDDLE_EXPLORE_SAMPLING_SAMPLING_H
#define HEDDLE_EXPLORE_SAMPLING_SAMPLING_H

#include "explore/inputs/generations.h"
#include "explore/strategy/strategy.h"

struct sampling {
  uint64_t seed, runs, steps;
  uint64_t batch_runs; /* of the next target */
  int64_t started_at;  /* microseconds */
  uint32_t priority_changes, expected_steps;
  struct inputs *inputs; /* NULL: none */
  struct generations *generations;
  uint32_t input_runs; /* of a batch with inputs; 0: no inputs so far */
  bool solved_turn;    /* the next batch may get inputs that were solved for */
  bool under_way;
};

#define SAMPLING_DEFAULT_RUNS 10000

void *sampling_create(const struct strategy_settings *settings);
void sampling_destroy(void *self);
/* Fills in seed and runs; the strategy adds its policy. One target is under way at a time. */
bool sampling_next(struct sampling *self, struct target *target);
void sampling_absorb(void *self, void *cookie, const struct trace_view *trace, const struct path *path, uint64_t runs);
void sampling_stats(const void *self, struct strategy_stats *stats);
void sampling_account(const void *self, struct account *account);

#endif
