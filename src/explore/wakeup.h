/* SPDX-License-Identifier: MIT
 *
 * The execution tree of strategy `optimal`: a node is the point a program reaches after a sequence of steps. Nodes that
 * runs have been at and nodes that are still to be reached (wake-up sequences, each ending in a leaf that waits for a
 * run) are in one tree. Children are in the order in which they are to be explored: to the right of a node is what may
 * count on that node being explored.
 *
 * Work is taken from left to right. A subtree with nothing to do is forgotten, but for the step that leads to it, as
 * soon as nothing to the left of it is left to do: until then what is found there may have to be added to it. So memory
 * is proportional to the depth, the work left and the runs under way, not to the runs made.
 */
#ifndef HEDDLE_EXPLORE_WAKEUP_H
#define HEDDLE_EXPLORE_WAKEUP_H

#include "abi/dependence.h"
#include "trace/trace.h"

struct node {
  struct node *parent, *next; /* next: the sibling to the right, or the next unused node */
  struct node *first, *last;  /* children */
  struct node *first_live;    /* children to the left of it have nothing to do; NULL: the same as `first` */
  struct event event;         /* the step that leads here: as it went, or as it is expected to go */
  struct event *sleep;        /* steps that need not be taken here: what begins with them is explored elsewhere */
  struct event *more;         /* events behind the step that are no steps */
  uint64_t *words;            /* the set of threads that could move, when it is a wide one */
  uint64_t id;                /* never used again */
  uint32_t n_sleep, n_more, n_words;
  uint32_t depth;   /* steps from the root */
  uint32_t waiting; /* leaves in this subtree that wait for a run */
  uint32_t live;    /* the same, with those whose run is under way */
  bool was_reached; /* by a run */
  bool is_leaf;     /* waits for a run, or the run is under way */
  bool is_unsure;   /* the thread may not be able to move */
  bool is_void;     /* it could not */
};

struct wakeup {
  struct node *root;
  struct node *unused;
  struct slab *slabs;
  uint64_t n_nodes; /* ever made */
};

void wakeup_init(struct wakeup *tree);
void wakeup_free(struct wakeup *tree);

/* A new last child. */
struct node *wakeup_add(struct wakeup *tree, struct node *parent, const struct event *event);
/* The node is a leaf that waits for a run. */
void wakeup_add_leaf(struct node *node);
/* The leftmost leaf that waits, NULL none: its run is under way now. */
struct node *wakeup_take_leaf(struct wakeup *tree);
/* The run of the leaf is over. */
void wakeup_end_leaf(struct wakeup *tree, struct node *leaf);

/* Appends the steps from the root to the node. */
void wakeup_append_steps(const struct node *node, struct schedule *schedule);

#endif
