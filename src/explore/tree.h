/* SPDX-License-Identifier: MIT
 *
 * The execution tree: a node is the point a program reaches after a sequence of steps; its work is the set of steps
 * that are still to be taken from there. Newest work comes first, so the search is depth-first even with many runs
 * under way.
 *
 * A node lives as long as it has work, children, or a holder (a run under way). When the last of them is gone it is
 * freed, and its parent may follow: memory is proportional to the depth and the work left, never to the runs made.
 */
#ifndef HEDDLE_EXPLORE_TREE_H
#define HEDDLE_EXPLORE_TREE_H

#include "trace/trace.h"

struct tree_work; /* a step to be taken that does not fit into `threads` */

struct tree_node {
  struct tree_node *parent;
  struct tree_node *next; /* in the stack of nodes with work */
  uint64_t threads;       /* bit t: thread t's step with alternative 0 is to be taken */
  struct tree_work *others;
  struct step step; /* from the parent to here; NO_THREAD at the root */
  uint32_t depth;
  uint32_t references; /* children and holders */
  uint32_t preemptions;
  uint32_t degree; /* threads that may move here, 0 while nobody has moved */
  double share;    /* of the whole tree below here, if all ways were alike: 1 at the root, divided by every degree */
  bool has_work;   /* it is in the stack */
};

struct tree;

struct tree *tree_create(void);
void tree_destroy(struct tree *tree);
struct tree_node *tree_root(struct tree *tree);

/* The new node is held for the caller. */
struct tree_node *tree_add_child(struct tree *tree, struct tree_node *parent, struct step step);
void tree_hold(struct tree_node *node);
void tree_release(struct tree *tree, struct tree_node *node);

void tree_add_work(struct tree *tree, struct tree_node *node, struct step step);
/* Adds alternative 0 of every thread in the set of threads 0 to 63. */
void tree_add_threads(struct tree *tree, struct tree_node *node, uint64_t threads);
/* Takes the newest work; its node is held for the caller. False: there is none. */
bool tree_take_work(struct tree *tree, struct tree_node **node, struct step *step);
/* The number of steps that are still to be taken. */
uint64_t tree_work_left(const struct tree *tree);

/* Appends the steps from the root to the node. */
void tree_append_path(const struct tree_node *node, struct schedule *schedule);

#endif
