/* SPDX-License-Identifier: MIT
 *
 * The algorithms on dpor.h, by their rules. Saarikivi, Kähkönen, Heljanko (2012) have Figs. 2, 3 and 7; Kähkönen,
 * Saarikivi, Heljanko (2015) section 6.1; Sen and Agha (2006) race flipping. docs/algorithms/dpor-family.md
 */
#include "explore/dpor/dpor.h"

#define DPOR_STRATEGY(identifier, its_name, words, ...)                                                                \
  static void *create_##identifier(const struct strategy_settings *settings) {                                         \
    static const struct dpor_rules rules = {__VA_ARGS__};                                                              \
    return dpor_create(settings, &rules);                                                                              \
  }                                                                                                                    \
  const struct strategy strategy_##identifier = {                                                                      \
      .name = its_name,                                                                                                \
      .help = words,                                                                                                   \
      .explores_inputs = true,                                                                                         \
      .window = DPOR_WINDOW,                                                                                           \
      .default_max_runs = NO_LIMIT,                                                                                    \
      .options = order_options,                                                                                        \
      .settings_bytes = sizeof(struct order_settings),                                                                 \
      .configure = order_configure,                                                                                    \
      .create = create_##identifier,                                                                                   \
      .destroy = dpor_destroy,                                                                                         \
      .next = dpor_next,                                                                                               \
      .absorb = dpor_absorb,                                                                                           \
      .stats = dpor_stats,                                                                                             \
      .save = dpor_save,                                                                                               \
      .load = dpor_load,                                                                                               \
  }

/* Fig. 2, after Flanagan and Godefroid (2005): any two accesses of one place are dependent, also two reads. */
DPOR_STRATEGY(dpor, "dpor", "dynamic partial order reduction (Flanagan, Godefroid); reads of one place conflict",
              .reads_conflict = true, .backtrack = dpor_backtrack_at_thread);

/* Fig. 3. */
DPOR_STRATEGY(dpor_cr, "dpor-cr", "the same, but reads commute", .backtrack = dpor_backtrack_at_thread);

/* Fig. 7. Where the wanted operation sleeps, everybody who does not is tried: to leave it at that would miss runs. */
DPOR_STRATEGY(dpor_cr_sleep, "dpor-cr-sleep", "the same with sleep sets", .sleeps = true,
              .backtrack = dpor_backtrack_at_thread);

/* 6.1: the thread that came later in the race is tried, whatever it does there, although it may sleep; when it cannot
 * move, everybody is. */
static void try_even_asleep(struct dpor *self, const struct reversal_point *race) {
  if (dpor_could_move(race, race->thread))
    dpor_try_asleep(self, race, race->thread);
  else
    dpor_try_all(self, race);
}

DPOR_STRATEGY(dpor_1, "dpor-1", "sleep sets; tries the racing thread first, even if it sleeps", .sleeps = true,
              .backtrack = try_even_asleep);

/* 6.1: the same, but when it sleeps or cannot move, all that can move and do not sleep are tried. */
DPOR_STRATEGY(dpor_2, "dpor-2", "sleep sets; tries the racing thread first, or all others if it sleeps", .sleeps = true,
              .backtrack = dpor_backtrack_at_thread);

/* ---- race flipping: when a step is in a race with a later one, another run postpones it as long as possible ----
 *
 * Postponing is sleeping: the thread is not chosen until something that depends on its step was done. Anybody else may
 * be chosen instead; when the step of that thread is in a race, too, both are postponed.
 *
 * A step has many races; each of them counts. A tool that compares an access with the last access of the same place
 * alone misses those between a write and all but one of the reads that are concurrent with it. */

/* Has another thread been tried after the one that took the earlier step? Then that is postponed already. */
static bool is_postponed(const struct reversal_point *race) {
  for (const struct point *child = point_child(race->point, race->earlier->thread); child; child = child->next_sibling)
    if (child->event.thread != race->earlier->thread) return true;
  return false;
}

static void postpone(struct dpor *self, const struct reversal_point *race) {
  if (!is_postponed(race)) dpor_try_another(self, race, race->thread);
}

DPOR_STRATEGY(race_flip, "race-flip",
              "race detection and flipping (Sen, Agha): the earlier step of a race is postponed", .sleeps = true,
              .backtrack = postpone);
