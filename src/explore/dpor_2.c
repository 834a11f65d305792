/* SPDX-License-Identifier: MIT
 *
 * DPOR-2 of Kähkönen, Saarikivi, Heljanko (2015), section 6.1: where a race is to be reversed, the thread that came
 * later in it is tried, whatever it does there; when it sleeps or cannot move, all that can move and do not sleep are.
 */
#include "explore/dpor.h"

static const struct dpor_rules rules = {.sleeps = true, .backtrack = dpor_backtrack_at_thread};

static void *create(const struct strategy_settings *settings) {
  return dpor_create(settings, &rules);
}

const struct strategy strategy_dpor_2 = {
    .name = "dpor-2",
    .help = "sleep sets, and the racing thread first; all others when it sleeps",
    .explores_inputs = true,
    .window = DPOR_WINDOW,
    .default_max_runs = NO_LIMIT,
    .create = create,
    .destroy = dpor_destroy,
    .next = dpor_next,
    .absorb = dpor_absorb,
    .stats = dpor_stats,
};
