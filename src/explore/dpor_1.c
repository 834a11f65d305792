/* SPDX-License-Identifier: MIT
 *
 * DPOR-1 of Kähkönen, Saarikivi, Heljanko (2015), section 6.1: where a race is to be reversed, the thread that came
 * later in it is tried, whatever it does there, although it may sleep; when it cannot move, everybody is.
 */
#include "explore/dpor.h"

static void backtrack(struct dpor *self, const struct reversal_point *race) {
  if (dpor_could_move(race, race->thread))
    dpor_try_asleep(self, race, race->thread);
  else
    dpor_try_all(self, race);
}

static const struct dpor_rules rules = {.sleeps = true, .backtrack = backtrack};

static void *create(const struct strategy_settings *settings) {
  return dpor_create(settings, &rules);
}

const struct strategy strategy_dpor_1 = {
    .name = "dpor-1",
    .help = "sleep sets, and the racing thread first although it may sleep",
    .explores_inputs = true,
    .window = DPOR_WINDOW,
    .default_max_runs = NO_LIMIT,
    .create = create,
    .destroy = dpor_destroy,
    .next = dpor_next,
    .absorb = dpor_absorb,
    .stats = dpor_stats,
};
