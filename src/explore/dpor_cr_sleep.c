/* SPDX-License-Identifier: MIT
 *
 * dpor-cr with sleep sets: Fig. 7 of Saarikivi, Kähkönen, Heljanko (2012). Where the wanted
 * operation sleeps, everybody who does not is tried: to leave it at that would miss runs.
 */
#include "explore/dpor.h"

static const struct dpor_rules rules = {.sleeps = true, .backtrack = dpor_backtrack_at_thread};

static void *create(const struct strategy_settings *settings) {
  return dpor_create(settings, &rules);
}

const struct strategy strategy_dpor_cr_sleep = {
    .name = "dpor-cr-sleep",
    .help = "the same with sleep sets",
    .explores_inputs = true,
    .window = DPOR_WINDOW,
    .default_max_runs = NO_LIMIT,
    .create = create,
    .destroy = dpor_destroy,
    .next = dpor_next,
    .absorb = dpor_absorb,
    .stats = dpor_stats,
};
