/* SPDX-License-Identifier: MIT
 *
 * What the dynamic partial order reductions have in common: a run follows a path of the execution tree (backtrack.h)
 * and continues by itself; the races of its new steps (trace/order.h), and of the operations that threads stand before
 * in the end, say where other threads have to be tried. Where the run decided by its inputs, the other sides are asked
 * for. The algorithms differ in whom they try, and in whether they use sleep sets. docs/algorithms/dpor-family.md
 */
#ifndef HEDDLE_EXPLORE_DPOR_DPOR_H
#define HEDDLE_EXPLORE_DPOR_DPOR_H

#include "explore/dpor/backtrack.h"
#include "explore/strategy/strategy.h"

struct dpor;

/* A race of a run: Fig. 1's E_i and v. */
struct reversal_point {
  struct point *point;         /* pre(E, i) */
  const struct event *earlier; /* E_i, the step that the run took there */
  const struct trace_view *trace;
  thread_id thread; /* proc(v) */
  bool is_next;     /* v is what the thread would have done at the point, not something after that */
};

struct dpor_rules {
  bool sleeps;         /* sleep sets */
  bool reads_conflict; /* two reads of one place are dependent */
  /* Adds to the point's backtrack set what this race asks for. */
  void (*backtrack)(struct dpor *self, const struct reversal_point *race);
};

void *dpor_create(const struct strategy_settings *settings, const struct dpor_rules *rules);
void dpor_destroy(void *self);
bool dpor_next(void *self, struct target *target);
void dpor_absorb(void *self, void *cookie, const struct trace_view *trace, const struct path *path, uint64_t runs);
void dpor_stats(const void *self, struct strategy_stats *stats);
void dpor_save(const void *self, void *const *cookies, size_t n_cookies, struct text *state);
bool dpor_load(void *self, struct written *state, void **cookies, size_t n_cookies);

#define DPOR_WINDOW 64

/* --- for `backtrack` --- */

bool dpor_could_move(const struct reversal_point *race, thread_id thread);
/* Wants the thread at the point, unless it was taken there, or is wanted, or sleeps. */
void dpor_try(struct dpor *self, const struct reversal_point *race, thread_id thread);
/* The same although it sleeps: what is explored below is explored elsewhere, too. */
void dpor_try_asleep(struct dpor *self, const struct reversal_point *race, thread_id thread);
/* Wants all threads that could move and do not sleep. */
void dpor_try_all(struct dpor *self, const struct reversal_point *race);
/* Wants one thread that could move, was not taken and does not sleep, preferably this one. */
void dpor_try_another(struct dpor *self, const struct reversal_point *race, thread_id preferred);

/* The thread of v, whatever it would have done there, if it could have moved and does not sleep; otherwise everybody
 * who does not sleep: what v needs before it may have to come from them. */
void dpor_backtrack_at_thread(struct dpor *self, const struct reversal_point *race);

#endif
