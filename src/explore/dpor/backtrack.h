/* SPDX-License-Identifier: MIT
 *
 * The execution tree of the partial order reductions: a point is what a program reaches by a sequence of steps and of
 * sides taken in decisions about inputs. Its children are the steps that have been taken from there (its backtrack set)
 * or are to be taken; or it makes a decision, and they are the sides of it that runs took.
 *
 *     WANTED -------> UNDER_WAY -------------> REACHED -------------------> DONE
 *            chosen             its run ended          nothing left below
 *
 * Children are ranked in the order in which their threads were started. With sleep sets, a thread of lower rank sleeps
 * below its siblings of higher rank until an event that depends on its own. Alternatives of one thread's step have one
 * rank, and do not put each other to sleep. Sides put nobody to sleep: who sleeps after a decision is worked out from
 * who slept where the last step was taken, and from what the run did since.
 *
 * The children of a point are freed when it is done; of a done child the event is kept as long as its parent needs it.
 * Memory is proportional to the depth of the tree and the work left, never to the runs made.
 */
#ifndef HEDDLE_EXPLORE_DPOR_BACKTRACK_H
#define HEDDLE_EXPLORE_DPOR_BACKTRACK_H

#include "base/written.h"
#include "explore/inputs/sides.h"
#include "trace/trace.h"

enum point_state { POINT_WANTED, POINT_UNDER_WAY, POINT_REACHED, POINT_DONE };

/* What sleeping threads would do. Shared by points, never changed. */
struct sleep_set {
  uint32_t references;
  uint32_t count;
  struct event events[];
};

struct point {
  struct point *parent, *children, *next_sibling;
  struct point *newer, *older; /* in the list of points with wanted children or sides left */
  struct sleep_set *sleep;     /* who sleeps here; NULL: nobody */
  struct sides *sides;         /* of the decision made here that are left, NULL none */
  struct values *values;       /* of a run that came here, while the point is listed */
  struct event event;          /* from the parent to here; kind NONE: only thread and alternative are known */
  uint64_t number;             /* no two points have the same */
  uint32_t depth;              /* steps on the way here */
  uint32_t decisions;          /* sides taken on the way here */
  term_id constraint;          /* of the side that leads from the parent to here; 0: a step does */
  uint32_t rank;               /* of its thread among those started at the parent, from 1; 0 not started */
  uint32_t live;               /* children that are not done, runs under way, and 1 for sides that are left */
  uint32_t n_children, n_started;
  uint32_t n_wanted; /* children */
  uint8_t state;     /* enum point_state */
  bool in_vain;      /* all that is below here is explored elsewhere, too */
  bool decides;      /* runs made decisions between this step and the next */
};

struct backtrack;

struct backtrack *backtrack_create(void);
void backtrack_destroy(struct backtrack *tree);
struct point *backtrack_root(struct backtrack *tree);
/* The number of children that are still to be taken, and of decisions with sides that may be. */
uint64_t backtrack_left(const struct backtrack *tree);

/* The child for the first alternative of the thread's step, NULL if there is none. */
struct point *point_child(const struct point *point, thread_id thread);
bool point_is_asleep(const struct point *point, thread_id thread);

/* Adds a wanted child. The caller lists the point later. */
struct point *backtrack_want(struct backtrack *tree, struct point *point, struct step step);
/* The decision that the point makes has these other sides; they are copied. The caller lists the point later. */
void backtrack_add_sides(struct backtrack *tree, struct point *point, const struct sides *sides);
/* Puts the point first among those with work, unless it is listed or has none. `values` are of a run that came here. */
void backtrack_list(struct backtrack *tree, struct point *point, struct values *values);
/* The point with the newest work that can be started now, NULL none. With sleep sets a child is started only when it is
 * known what its siblings of lower rank do. */
struct point *backtrack_newest(struct backtrack *tree, bool with_sleep_sets);
/* The first wanted child of a point without sides, which is under way then. *values is held for the caller. */
struct point *backtrack_take(struct backtrack *tree, struct point *point, struct values **values);
/* A child after another side of the point's decision, which is under way then. */
struct point *backtrack_take_side(struct backtrack *tree, struct point *point, term_id constraint);
/* No side of the point's decision is left. */
void backtrack_end_sides(struct backtrack *tree, struct point *point);

/* A child that a run has reached on its own, by a step or by a side. */
struct point *backtrack_advance(struct backtrack *tree, struct point *point, const struct event *event);
struct point *backtrack_advance_side(struct backtrack *tree, struct point *point, term_id constraint);
/* The run that was under way to, or through, this point has ended here. */
void backtrack_end(struct backtrack *tree, struct point *point);

/* Adds what sleeps where the last step to this point is taken. */
void point_append_sleepers(const struct point *point, event_list *sleepers);
/* Sets who sleeps at a point that has been reached: `sleepers` without those that the events since the last step wake.
 */
void point_fall_asleep(struct point *point, event_list *sleepers, const struct event *events, size_t n_events);

/* Appends the steps from the root to the point. */
void point_append_path(const struct point *point, struct schedule *schedule);
/* Sets the list to the constraints from the root to the point. */
void point_list_constraints(const struct point *point, term_list *list);

/* Writes the tree, which has no decisions, and which of its points those are, to which runs are under way. */
void backtrack_write(const struct backtrack *tree, void *const *points, size_t n_points, struct text *state);
/* Reads it into a tree that was just created. `has_started`: a run has been asked for. No path may have more than
 * `max_steps`. False: nobody wrote that. */
bool backtrack_read(struct backtrack *tree, struct written *state, bool has_started, uint32_t max_steps, void **points,
                    size_t n_points);

#endif
