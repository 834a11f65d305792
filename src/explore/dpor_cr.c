/* SPDX-License-Identifier: MIT
 *
 * Dynamic partial order reduction with commuting reads: Fig. 3 of Saarikivi, Kähkönen, Heljanko (2012).
 */
#include "explore/dpor.h"

static const struct dpor_rules rules = {.backtrack = dpor_backtrack_at_thread};

static void *create(const struct strategy_settings *settings) {
  return dpor_create(settings, &rules);
}

const struct strategy strategy_dpor_cr = {
    .name = "dpor-cr",
    .help = "the same, reads commute",
    .explores_inputs = true,
    .window = DPOR_WINDOW,
    .default_max_runs = NO_LIMIT,
    .create = create,
    .destroy = dpor_destroy,
    .next = dpor_next,
    .absorb = dpor_absorb,
    .stats = dpor_stats,
};
