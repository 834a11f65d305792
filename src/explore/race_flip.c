/* SPDX-License-Identifier: MIT
 *
 * Race detection and flipping (Sen, Agha 2006): when a step is in a race with a later one, another run postpones it as
 * long as possible. Postponing is sleeping: the thread is not chosen until something that depends on its step was done.
 * Anybody else may be chosen instead; when the step of that thread is in a race, too, both are postponed.
 *
 * A step has many races; each of them counts. A tool that compares an access with the last access of the same place
 * alone misses those between a write and all but one of the reads that are concurrent with it.
 */
#include "explore/dpor.h"

/* Has another thread been tried after the one that took the earlier step? Then that is postponed already. */
static bool is_postponed(const struct reversal_point *race) {
  for (const struct point *child = point_child(race->point, race->earlier->thread); child; child = child->next_sibling)
    if (child->event.thread != race->earlier->thread) return true;
  return false;
}

static void backtrack(struct dpor *self, const struct reversal_point *race) {
  if (!is_postponed(race)) dpor_try_another(self, race, race->thread);
}

static const struct dpor_rules rules = {.sleeps = true, .backtrack = backtrack};

static void *create(const struct strategy_settings *settings) {
  return dpor_create(settings, &rules);
}

const struct strategy strategy_race_flip = {
    .name = "race-flip",
    .help = "race detection and flipping (Sen, Agha): the earlier step of a race is postponed",
    .explores_inputs = true,
    .window = DPOR_WINDOW,
    .default_max_runs = NO_LIMIT,
    .create = create,
    .destroy = dpor_destroy,
    .next = dpor_next,
    .absorb = dpor_absorb,
    .stats = dpor_stats,
};
