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
  uint64_t slice;      /* runs of a turn of optimal; 0: as many as the expected steps suggest */
  uint64_t trial_runs; /* of contextual; 0: as many as is usual */
  uint64_t watched;    /* runs of optimal that it is shown; 0: as many as is usual; at most MOST_WATCHED */
};

#define MOST_WATCHED 128u

/* A run of optimal that contextual is shown: it is recorded from its beginning. */
struct watched_run {
  void *cookie;
  uint32_t record_from; /* what optimal wants of it */
};

/* What contextual has shown that it is good for. */
struct trial {
  struct watched_run runs[MOST_WATCHED];
  uint32_t n_given, n_seen, n_new; /* n_new: of those seen, the runs that showed it something */
  bool leads;                      /* it has turns of its own */
};

struct auto_search {
  struct strategy_settings settings;
  struct part parts[PARTS];
  struct trial trial;
  enum part_name at_work;
  uint64_t slice;     /* runs of a turn of optimal */
  uint64_t turn_runs; /* made in this turn */
  uint64_t in_flight; /* runs under way */
  unsigned n_targets; /* targets under way */
  bool is_over;       /* the part at work has seen everything, or optimal all that it can see */
  bool is_draining;   /* the part at work begins again when nothing is under way */
  bool has_threads;   /* a run had more than one */
  bool observes;      /* a run observed something */
  struct bound_settings bound;
  uint64_t bound_began_at;         /* runs of PART_BOUNDED before this bound */
  VECTOR(uint64_t) runs_of_bounds; /* those that are done, from 0 preemptions on: what each added */
  uint64_t whole_bounds;           /* of them, those before the first in which a run was cut short */
  struct strategy_stats gone;      /* of parts that have ended: their sums */
};

void auto_begin_part(struct auto_search *self, enum part_name name);

bool auto_has_inputs(const struct auto_search *self);

/* ---- trial.c ---- */
bool trial_is_due(const struct auto_search *self);
uint64_t trial_runs(const struct auto_search *self);
/* Contextual has turns like the others. */
bool trial_leads(const struct auto_search *self);
/* Contextual has ended: whatever it knew is gone. */
void trial_forget(struct auto_search *self);
/* A target of optimal: has it recorded from its beginning, if contextual is to see it. */
void trial_choose_target(struct auto_search *self, struct target *target);
/* The cookie that optimal gave to the target. */
void *trial_own_cookie(const struct auto_search *self, void *cookie);
/* Shows a run of optimal to contextual, if that was meant; then the view is as optimal wants it, with `record`. */
void trial_show_run(struct auto_search *self, void *cookie, struct trace_view *trace, struct trace *record);
/* Is contextual shown the runs of the present turn? */
bool trial_is_watching(const struct auto_search *self);
uint64_t trial_most_watched(const struct auto_search *self);
/* It has seen them. False: it is in vain. */
bool trial_is_promising(struct auto_search *self);

/* ---- auto_written.c ---- */
bool auto_can_save(const void *self);
void auto_save(const void *self, void *const *cookies, size_t n_cookies, struct text *state);
bool auto_load(void *self, struct written *state, void **cookies, size_t n_cookies);

#endif
