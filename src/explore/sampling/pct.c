/* SPDX-License-Identifier: MIT
 *
 * PCT (Burckhardt, Kothari, Musuvathi, Nagarakatte, ASPLOS 2010): threads have random priorities, the highest one that
 * can move does; at depth - 1 random steps the running thread falls to the bottom. A bug of that depth is hit with
 * probability at least 1 / (n k^(depth-1)) for n threads and k steps; k is what the learning runs needed at most.
 */
#include "explore/sampling/sampling.h"

static bool pct_target(void *memory, struct target *target) {
  struct sampling *self = memory;
  if (!sampling_next(self, target)) return false;
  target->plan.policy = POLICY_PRIORITY;
  target->plan.priority_changes = self->priority_changes;
  target->plan.expected_steps = self->expected_steps > 0 ? self->expected_steps : 1;
  return true;
}

const struct strategy strategy_pct = {
    .name = "pct",
    .help = "random priorities, lowered at --depth - 1 random steps",
    .explores_inputs = true,
    .window = 1,
    .default_max_runs = SAMPLING_DEFAULT_RUNS,
    .create = sampling_create,
    .destroy = sampling_destroy,
    .next = pct_target,
    .absorb = sampling_absorb,
    .stats = sampling_stats,
    .account = sampling_account,
};
