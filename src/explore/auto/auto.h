/* SPDX-License-Identifier: MIT
 *
 * What the files of strategy `auto` share: the parts, and whose turn it is.
 */
#ifndef HEDDLE_EXPLORE_AUTO_AUTO_H
#define HEDDLE_EXPLORE_AUTO_AUTO_H

#include "explore/bounded/bounded.h"
#include "explore/sampling/sampling.h"
#include "explore/strategy/strategy.h"

/* In the order of their turns. */
enum part_name { PART_OPTIMAL, PART_CONTEXTUAL, PART_PCT, PART_RANDOM, PART_BOUNDED, PARTS };

struct part {
  const struct strategy *strategy;
  void *self;     /* NULL: its first turn is yet to come, or it has ended */
  uint64_t runs;  /* made, with all bounds */
  bool has_ended; /* it gets no turns any more */
  bool was_cut;   /* a run of it, or of the present bound, did not come to its end */
};

struct auto_settings {
  struct order_settings order;
  struct pct_settings pct;
  uint64_t slice; /* runs of a turn of optimal; 0: as many as the expected steps suggest */
};

struct auto_search {
  struct strategy_settings settings;
  struct part parts[PARTS];
  enum part_name at_work;
  uint64_t slice;     /* runs of a turn of optimal */
  uint64_t turn_runs; /* made in this turn */
  uint64_t in_flight; /* runs under way */
  unsigned n_targets; /* targets under way */
  bool is_over;       /* the part at work has seen everything, or optimal all that it can see */
  bool is_draining;   /* the bound begins again when nothing is under way */
  bool has_threads;   /* a run had more than one */
  bool observes;      /* a run observed something */
  struct bounded_settings bound;
  uint64_t bound_began_at;         /* runs of PART_BOUNDED before this bound */
  VECTOR(uint64_t) runs_of_bounds; /* those that are done, from 0 preemptions on: what each added */
  uint64_t whole_bounds;           /* of them, those before the first in which a run was cut short */
  struct strategy_stats gone;      /* of parts that have ended: their sums */
};

void auto_begin_part(struct auto_search *self, enum part_name name);

/* ---- auto_written.c ---- */
bool auto_can_save(const void *self);
void auto_save(const void *self, void *const *cookies, size_t n_cookies, struct text *state);
bool auto_load(void *self, struct written *state, void **cookies, size_t n_cookies);

#endif
