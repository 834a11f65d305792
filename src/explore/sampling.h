/* SPDX-License-Identifier: MIT
 *
 * What the strategies that only draw schedules have in common: run k uses seed + k, whatever the size of the batches,
 * so that a seed gives the same runs every time. They never end by themselves and never know that nothing is left.
 */
#ifndef HEDDLE_EXPLORE_SAMPLING_H
#define HEDDLE_EXPLORE_SAMPLING_H

#include "explore/strategy.h"

struct sampling {
  uint64_t seed, runs, steps;
  uint64_t batch_runs; /* of the next target */
  int64_t started_at;  /* microseconds */
  uint32_t priority_changes, expected_steps;
  bool under_way;
};

#define SAMPLING_DEFAULT_RUNS 10000

void *sampling_create(const struct strategy_settings *settings);
void sampling_destroy(void *self);
/* Fills in seed and runs; the strategy adds its policy. One target is under way at a time. */
bool sampling_next(struct sampling *self, struct target *target);
void sampling_absorb(void *self, void *cookie, const struct trace_view *trace, uint64_t runs);
void sampling_stats(const void *self, struct strategy_stats *stats);

#endif
