/* SPDX-License-Identifier: MIT
 *
 * PCT (Burckhardt, Kothari, Musuvathi, Nagarakatte, ASPLOS 2010): threads have random priorities, the highest one that
 * can move does; at depth - 1 random steps the running thread falls to the bottom. A bug of that depth is hit with
 * probability at least 1 / (n k^(depth-1)) for n threads and k steps; k is what the learning runs needed at most.
 */
#include "explore/sampling/sampling.h"

#define DEFAULT_DEPTH 3

bool pct_configure(void *own, const struct option_source *source, struct error *error) {
  struct pct_settings *settings = own;
  (void)error;
  settings->depth = (uint32_t)option_find(source, "depth")->number;
  return true;
}

static void *pct_create(const struct strategy_settings *settings) {
  const struct pct_settings *own = settings->own;
  struct sampling *self = sampling_create(settings);
  self->priority_changes = (own ? own->depth : DEFAULT_DEPTH) - 1;
  return self;
}

static bool pct_target(void *memory, struct target *target) {
  struct sampling *self = memory;
  if (!sampling_next(self, target)) return false;
  target->plan.policy = POLICY_PRIORITY;
  target->plan.priority_changes = self->priority_changes;
  target->plan.expected_steps = self->expected_steps > 0 ? self->expected_steps : 1;
  return true;
}

static const char *const option_names[] = {"depth", "symmetry", NULL};

const struct strategy strategy_pct = {
    .name = "pct",
    .help = "random priorities, lowered at --depth - 1 random steps",
    .explores_inputs = true,
    .window = SAMPLING_WINDOW,
    .default_max_runs = SAMPLING_DEFAULT_RUNS,
    .options = option_names,
    .settings_bytes = sizeof(struct pct_settings),
    .configure = pct_configure,
    .create = pct_create,
    .destroy = sampling_destroy,
    .next = pct_target,
    .absorb = sampling_absorb,
    .stats = sampling_stats,
    .account = sampling_account,
    .save = sampling_save,
    .load = sampling_load,
};
