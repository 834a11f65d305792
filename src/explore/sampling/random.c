/* SPDX-License-Identifier: MIT
 *
 * Random schedules: at every step, any of the threads that can move with the same probability.
 */
#include "explore/sampling/sampling.h"

static bool random_target(void *self, struct target *target) {
  if (!sampling_next(self, target)) return false;
  target->plan.policy = POLICY_RANDOM;
  return true;
}

const struct strategy strategy_random = {
    .name = "random",
    .options = symmetry_options,
    .help = "seeded random schedules",
    .explores_inputs = true,
    .window = SAMPLING_WINDOW,
    .default_max_runs = SAMPLING_DEFAULT_RUNS,
    .create = sampling_create,
    .destroy = sampling_destroy,
    .next = random_target,
    .absorb = sampling_absorb,
    .stats = sampling_stats,
    .account = sampling_account,
    .save = sampling_save,
    .load = sampling_load,
};
