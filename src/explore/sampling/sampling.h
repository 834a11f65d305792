/* SPDX-License-Identifier: MIT
 *
 * What the strategies that only draw schedules have in common: run k uses seed + k, whatever the size of the batches,
 * so that a seed gives the same runs every time. They never end by themselves and never know that nothing is left.
 *
 * Several batches are under way at once. When one ends early, because a run was not quiet (trace_is_quiet), those after
 * it are not run: the next one begins with the run after that.
 *
 * With inputs, one batch is under way at a time, since what comes next depends on the run before it: which other sides
 * its decisions have, and how many threads there were. Batches whose inputs take a side of a decision that no run was
 * asked to take (generations.h) alternate with batches whose inputs are drawn.
 */
#ifndef HEDDLE_EXPLORE_SAMPLING_SAMPLING_H
#define HEDDLE_EXPLORE_SAMPLING_SAMPLING_H

#include "explore/inputs/generations.h"
#include "explore/strategy/strategy.h"

#define SAMPLING_WINDOW 4

struct sampling {
  uint64_t seed, steps;
  uint64_t runs;    /* absorbed */
  uint64_t planned; /* runs absorbed and under way */
  unsigned n_under_way;
  bool one_at_a_time;
  uint64_t batch_runs;       /* of the next target */
  int64_t started_at;        /* microseconds: the oldest batch */
  uint32_t priority_changes; /* pct's */
  uint32_t expected_steps;
  struct inputs *inputs; /* NULL: none */
  struct generations *generations;
  uint32_t input_runs; /* of a batch with inputs; 0: no inputs so far */
  bool solved_turn;    /* the next batch may get inputs that were solved for */
};

#define SAMPLING_DEFAULT_RUNS 10000

struct pct_settings {
  uint32_t depth; /* PCT's d */
};

bool pct_configure(void *own, const struct option_source *source, struct error *error);

void *sampling_create(const struct strategy_settings *settings);
void sampling_destroy(void *self);
/* Fills in seed, runs and inputs; the strategy adds its policy. */
bool sampling_next(struct sampling *self, struct target *target);
void sampling_absorb(void *self, void *cookie, const struct trace_view *trace, const struct path *path, uint64_t runs);
void sampling_stats(const void *self, struct strategy_stats *stats);
void sampling_account(const void *self, struct account *account);
void sampling_save(const void *self, void *const *cookies, size_t n_cookies, struct text *state);
bool sampling_load(void *self, struct written *state, void **cookies, size_t n_cookies);

#endif
