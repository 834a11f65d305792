/* SPDX-License-Identifier: MIT
 *
 * Dynamic partial order reduction as in Fig. 2 of Saarikivi, Kähkönen, Heljanko (2012), after Flanagan and Godefroid
 * (2005): any two accesses of one place are dependent, also two reads.
 */
#include "explore/dpor.h"

static const struct dpor_rules rules = {.reads_conflict = true, .backtrack = dpor_backtrack_at_thread};

static void *create(const struct strategy_settings *settings) {
  return dpor_create(settings, &rules);
}

const struct strategy strategy_dpor = {
    .name = "dpor",
    .help = "dynamic partial order reduction (Flanagan, Godefroid); reads of one place conflict",
    .explores_inputs = true,
    .window = DPOR_WINDOW,
    .default_max_runs = NO_LIMIT,
    .create = create,
    .destroy = dpor_destroy,
    .next = dpor_next,
    .absorb = dpor_absorb,
    .stats = dpor_stats,
};
