/* SPDX-License-Identifier: MIT
 *
 * The execution tree of strategy `optimal`: a node is the point a program reaches after a sequence of steps, each with
 * an outcome (which alternative it took, how its thread then decided on inputs). Nodes that runs have been at and nodes
 * that are still to be reached (wake-up sequences, each ending in a leaf that waits for a run) are in one tree.
 * Children are in the order in which they are to be explored: to the right of a node is what may count on that node
 * being explored.
 *
 * Work is taken from left to right: leaves, and other sides of the decisions after a step, which become siblings of
 * it. A subtree with nothing to do is forgotten, but for the step that leads to it, as
 * soon as nothing to the left of it is left to do: until then what is found there may have to be added to it. So memory
 * is proportional to the depth, the work left and the runs under way, not to the runs made.
 */
#ifndef HEDDLE_EXPLORE_DPOR_WAKEUP_H
#define HEDDLE_EXPLORE_DPOR_WAKEUP_H

#include "base/written.h"
#include "explore/dpor/decided.h"
#include "explore/inputs/sides.h"
#include "model/dependence.h"
#include "trace/order.h"

/* A step that need not be taken at a point: what begins with it is explored elsewhere. */
struct sleeper {
  struct event event;
  struct decided *decided; /* how it decides there; NULL: whatever it decides */
};

/* Sides of a decision after a step that are still to be explored. */
struct open_sides {
  struct open_sides *next;
  struct sides sides;
  uint32_t before; /* how many constraints of the step come before the decision's */
};

struct wakeup_node {
  struct wakeup_node *parent, *next; /* next: the sibling to the right */
  struct wakeup_node *first, *last;  /* children */
  struct wakeup_node *first_live;    /* children to the left of it have nothing to do; NULL: the same as `first` */
  uint64_t id;                       /* never used again */
  uint32_t waiting;     /* leaves and sides of its own that wait for a run, and children with such below them */
  uint32_t live;        /* the same, with leaves whose run is under way */
  uint32_t depth;       /* steps from the beginning */
  bool was_reached : 1; /* by a run */
  bool is_leaf : 1;     /* waits for a run, or the run is under way */
  bool is_unsure : 1;   /* the thread may not be able to move */
  bool is_void : 1;     /* it could not */
  bool is_guess : 1;    /* what the step touches is not known before a run came here, or could not: insertion.h */
  bool is_whole : 1;    /* all outcomes of the step are explored, and all that can follow, as nothing is asleep */
  uint16_t n_words;
  /* Up to here is what is looked at when a run passes: 64 bytes, which lie together in one line of the cache. */
  struct event event;       /* the step that leads here: as it went, or as it is expected to go */
  struct decided *decided;  /* how the step decided, or as far as that is known before it is taken */
  struct open_sides *sides; /* of its decisions, the latest first */
  struct values *values;    /* inputs: for the run of a leaf, or of the run that came here, while there are sides */
  struct sleeper *sleep;
  struct deferred *deferred; /* waits for what a guess turns out to be */
  struct race *turning;      /* with earlier steps, that each run that comes here reverses again: optimal_races.c */
  struct event *more;        /* events after the step that are not steps */
  uint64_t *words;           /* the set of threads that could move, when it is a wide one */
  uint32_t n_sleep, n_more, n_turning;
  union {
    uint32_t n_turned; /* how many of its decisions have their other sides explored by a sibling */
    struct {           /* programs without inputs */
      uint16_t epoch;  /* the last in which a run came by, or the one it was planned in */
      uint16_t since;  /* not 0: it was found to be a step in this epoch, for plans of earlier ones it is none */
    };
  };
};

_Static_assert(offsetof(struct wakeup_node, event) == 64 && sizeof(struct wakeup_node) == 192,
               "whole lines of the cache");

/* A node that insertions wait for, by its id. */
struct awaited {
  struct wakeup_node *node;
  uint64_t id;
};

struct wakeup {
  struct wakeup_node *top;      /* its children have depth 0: one for each way to decide before the first step */
  struct wakeup_node *frontier; /* to the left of the way to it nothing is left to do, and all is forgotten */
  VECTOR(struct wakeup_node *) unused;
  struct slab *slabs;
  uint64_t n_nodes;   /* ever made */
  uint64_t n_waiting; /* leaves and sides that wait for a run */
  VECTOR(struct awaited) awaited;
  uint16_t epoch; /* how many times more memory turned out to be shared: optimal_growth.c */
};

void wakeup_init(struct wakeup *tree);
void wakeup_free(struct wakeup *tree);

/* A new last child. */
struct wakeup_node *wakeup_add(struct wakeup *tree, struct wakeup_node *parent, const struct event *event);
/* A new child of the same parent, next to the right. */
struct wakeup_node *wakeup_add_right(struct wakeup *tree, struct wakeup_node *node, const struct event *event);
/* The same to the left: for another outcome of the step to the node, which has work left. */
struct wakeup_node *wakeup_add_left(struct wakeup *tree, struct wakeup_node *node, const struct event *event);
/* The node is a leaf that waits for a run with these inputs. */
void wakeup_add_leaf(struct wakeup *tree, struct wakeup_node *node, struct values *values);
/* Sides of a decision after the step to the node are to be explored, after those added later. */
void wakeup_add_sides(struct wakeup *tree, struct wakeup_node *node, const struct sides *sides, uint32_t before);
/* The leftmost node that has work of its own, NULL none: a leaf that waits, or sides if it has some. */
struct wakeup_node *wakeup_leftmost(struct wakeup *tree);
/* The same at or below a node that has some. */
struct wakeup_node *wakeup_leftmost_below(struct wakeup_node *node);
/* Insertions wait for the node, which is of an earlier epoch: a run shall come by soon. If no leaf is left below it,
 * the deepest node on its left edge becomes one. */
void wakeup_await(struct wakeup *tree, struct wakeup_node *node);
/* The next leaf below such nodes, NULL none. */
struct wakeup_node *wakeup_take_awaited(struct wakeup *tree);
/* The run of the leaf is under way now. */
void wakeup_take_leaf(struct wakeup *tree, struct wakeup_node *leaf);
/* It has to be made once more. */
void wakeup_return_leaf(struct wakeup *tree, struct wakeup_node *leaf);
/* The run of the leaf is over. */
void wakeup_end_leaf(struct wakeup *tree, struct wakeup_node *leaf);
/* Nothing is left of the latest decision's sides. */
void wakeup_end_sides(struct wakeup *tree, struct wakeup_node *node);

/* An estimate of the part that is done, 0 to 1: as if the children of a node that are known by now were all it will
 * have, and as large as each other. Takes time in proportion to the depth. */
double wakeup_part_done(const struct wakeup *tree);

/* After the step to the node comes another one, before all that follows: a new node, its only child. */
struct wakeup_node *wakeup_split(struct wakeup *tree, struct wakeup_node *node, const struct event *event);

/* Sets the list to the constraints of all steps to the node, of its own only the first `count`. */
void wakeup_list_constraints(const struct wakeup_node *node, uint32_t count, term_list *list);

/* ---- wakeup_written.c ---- */

/* Writes the tree, which has no decisions, and which of its leaves those are, whose runs are under way. */
void wakeup_write(const struct wakeup *tree, struct wakeup_node *const *leaves, size_t n_leaves, struct text *state);
/* Reads it into a tree that has nothing but its top. No leaf may be deeper than `max_steps`. False: nobody wrote that.
 */
bool wakeup_read(struct wakeup *tree, struct written *state, uint32_t max_steps, struct wakeup_node **leaves,
                 size_t n_leaves);

#endif
