/* SPDX-License-Identifier: MIT
 *
 * For optimal.c and optimal_races.c alone: the state of strategy `optimal`, and the run that it absorbs.
 */
#ifndef HEDDLE_EXPLORE_DPOR_OPTIMAL_H
#define HEDDLE_EXPLORE_DPOR_OPTIMAL_H

#include "explore/dpor/insertion.h"
#include "explore/dpor/way.h"
#include "explore/strategy/input_notes.h"
#include "explore/strategy/strategy.h"
#include "trace/order.h"

#define WINDOW 64
#define FEW_UNDER_WAY 32

/* A run under way to `leaf`. The first run has the point before all steps for one. */
struct optimal_attempt {
  struct wakeup_node *leaf;
  uint32_t record_from;
  uint16_t epoch; /* that its steps are of */
  bool is_probe;  /* a run has been there: it only shows what steps there are on the way (optimal_growth.c) */
  struct optimal_attempt *next; /* in the list of unused ones */
};

/* A race of a run. */
struct found {
  struct race race;
  uint32_t later;
  bool is_again; /* it has been reversed in another run */
};

/* A run that is being absorbed. The next one begins with its way; of its other lists it uses the memory. */
struct optimal_run {
  const struct trace_view *trace;
  const struct path *path;  /* what its inputs decided; NULL: it has none */
  struct wakeup_node *leaf; /* that it was made for */
  uint32_t record_from;     /* what is recorded begins there */
  uint32_t known_to;        /* what has happened up to this depth is known from other runs */
  uint32_t new_from;        /* other runs took the steps before this one too */
  bool is_cut_short;
  struct way way;           /* to the leaf, and then as far as the run was absorbed */
  VECTOR(uint32_t) turning; /* depths of the nodes on the way with races in `turning`, ascending */
  VECTOR(struct found) found;
  sleeper_list sleep;         /* at the point that is being added */
  struct insertion insertion; /* of the race that is being reversed */
};

struct optimal {
  struct wakeup tree;
  struct inputs *inputs; /* NULL: none */
  struct order *order;   /* of the steps on the way of the run, as far as they were needed: a cache */
  struct input_notes notes;
  struct optimal_run memory; /* of runs that were absorbed: a cache */
  struct way_steps prefix;   /* of the last target: a cache */
  struct optimal_attempt attempts[WINDOW];
  struct optimal_attempt *unused;
  uint32_t n_under_way;
  bool is_giving_out; /* targets, until the window is full */
  struct deadline *deadline;
  uint64_t seed, runs, events, blocked_runs;
  enum policy policy;
  uint32_t max_steps; /* of a run */
  bool has_cut;       /* a run was cut short */
  bool has_decisions; /* a run decided on inputs */
  bool has_global;    /* a step depended on everything, whatever it touches */
  bool was_wrong;     /* a step of a branch touched something other than was computed for it */
  const struct knowledge *knowledge;
  VECTOR(uint64_t) versions; /* of the knowledge, when an epoch began */
  bool is_stale;             /* a run did not pass what other runs had passed */
};

static inline struct values *run_values(const struct optimal_run *run) {
  return run->path ? run->path->values : NULL;
}

/* The node itself, or the next above it, that a run was at. */
static inline struct wakeup_node *optimal_reached_above(struct wakeup_node *node) {
  while (!node->was_reached) node = node->parent;
  return node;
}

/* The order gets the step to the node, the next one. */
static inline void optimal_push_node(struct optimal *self, const struct wakeup_node *node) {
  const bool is_wide = node->n_words > 0;
  order_push(self->order, &node->event, is_wide ? node->words : &node->event.enabled, is_wide ? node->n_words : 1);
  for (uint32_t i = 0; i < node->n_more; i++) order_push(self->order, &node->more[i], NULL, 0);
}
/* The order becomes that of the steps to the node, which is one of the run's. */
void optimal_go_to(struct optimal *self, const struct optimal_run *run, const struct wakeup_node *node);
/* The same, and all races between these steps are found again. They were reversed when a run came here first. If that
 * was cut short, there are steps of others that would have been part of the reversal. */
void optimal_go_to_again(struct optimal *self, struct optimal_run *run, const struct wakeup_node *node);

/* Those of the step that was pushed last become races of the run. */
static inline void optimal_note_races(const struct optimal *self, struct optimal_run *run, uint32_t later,
                                      bool is_unsure, bool is_again) {
  size_t count;
  const struct race *races = order_races(self->order, &count);
  for (size_t i = 0; i < count; i++) {
    struct found found = {races[i], later, is_again};
    found.race.is_unsure |= is_unsure;
    vector_push(&run->found, found);
  }
}
void optimal_reverse_race(struct optimal *self, struct optimal_run *run, const struct found *found,
                          const struct event *event);
/* All that were noted. Call when the whole run is known: what can be moved in front of a reversal depends on all that
 * does not follow. */
void optimal_reverse_races(struct optimal *self, struct optimal_run *run);
/* Those of the steps before the node that are not settled: another run may need another reversal. */
void optimal_reverse_again(struct optimal *self, struct optimal_run *run, const struct wakeup_node *node);

/* ---- optimal_growth.c ---- */

/* Puts the steps to the leaf into the plan, as they were in its epoch. */
void optimal_write_steps(struct optimal *self, struct wakeup_node *leaf, struct schedule *schedule);
/* A run whose plan is of an earlier epoch: the way to its leaf gets the steps that are new since. */
void optimal_renew_way(struct optimal *self, struct optimal_run *run, const struct optimal_attempt *attempt);
/* What a run did, without what it says of its plan. */
struct event optimal_event(const struct event *event);

/* In optimal.c. */
void optimal_keep_more(struct wakeup_node *node, const struct event *event);
void optimal_keep_enabled(struct wakeup_node *node, const struct trace_view *trace, const struct event *event);
void optimal_keep_sleep(struct wakeup_node *node, const sleeper_list *sleep, const struct event *step);

/* As in struct strategy. */
bool optimal_next(void *memory, struct target *target); /* optimal_targets.c */
enum keeping optimal_keep(void *memory, void *cookie, uint64_t version, uint64_t *n_void);
void optimal_save(const void *memory, void *const *cookies, size_t n_cookies, struct text *state);
bool optimal_load(void *memory, struct written *state, void **cookies, size_t n_cookies);

#endif
