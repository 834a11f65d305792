/* SPDX-License-Identifier: MIT
 *
 * The execution tree: a node is the point a program reaches after a sequence of steps and of sides taken in decisions
 * about inputs. What comes next is a step, and then its work is the set of steps that are still to be taken from there;
 * or it is a decision, and then its work is the other sides. Newest work comes first, so the search is depth-first even
 * with many runs under way.
 *
 * A node lives as long as it has work, children, or a holder (a run under way). When the last of them is gone it is
 * freed, and its parent may follow: memory is proportional to the depth and the work left, never to the runs made.
 */
#ifndef HEDDLE_EXPLORE_EXHAUSTIVE_TREE_H
#define HEDDLE_EXPLORE_EXHAUSTIVE_TREE_H

#include "base/written.h"
#include "explore/inputs/sides.h"
#include "trace/trace.h"

struct tree_work; /* a step to be taken that does not fit into `threads` */

struct tree_node {
  struct tree_node *parent;
  struct tree_node *next; /* in the stack of nodes with work */
  uint64_t threads;       /* bit t: thread t's step with alternative 0 is to be taken */
  struct tree_work *others;
  struct sides *sides;   /* of the decision made here that are left, NULL none */
  struct values *values; /* of a run that came here, while there is work */
  struct step step;      /* the last one on the way here; NO_THREAD before the first */
  uint32_t depth;        /* steps on the way here */
  uint32_t decisions;    /* sides taken on the way here */
  term_id constraint;    /* of the side that leads from the parent to here; 0: a step does */
  uint32_t references;   /* children and holders */
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
/* The same after a side of a decision. */
struct tree_node *tree_add_side(struct tree *tree, struct tree_node *parent, term_id constraint);
void tree_hold(struct tree_node *node);
void tree_release(struct tree *tree, struct tree_node *node);

void tree_add_work(struct tree *tree, struct tree_node *node, struct step step);
/* Adds alternative 0 of every thread in the set of threads 0 to 63. */
void tree_add_threads(struct tree *tree, struct tree_node *node, uint64_t threads);
/* The sides of the decision that the point makes; they are copied. */
void tree_add_sides(struct tree *tree, struct tree_node *node, const struct sides *sides);
/* The values of inputs of a run that came here, for runs that continue from here another way. */
void tree_set_values(struct tree_node *node, struct values *values);
/* The point with the newest work, NULL: there is none. */
struct tree_node *tree_newest(struct tree *tree);
/* Takes a step from the newest point, whose work is steps; the node and *values are held for the caller. */
struct step tree_take_step(struct tree *tree, struct values **values);
/* No side of the newest point's decision is left. */
void tree_end_sides(struct tree *tree);
/* The number of steps that are still to be taken, and of decisions with sides that may be. */
uint64_t tree_work_left(const struct tree *tree);

/* Appends the steps from the root to the node. */
void tree_append_path(struct tree *tree, const struct tree_node *node, struct schedule *schedule);
/* Sets the list to the constraints from the root to the node. */
void tree_list_constraints(const struct tree_node *node, term_list *list);

/* Writes the tree, which has no decisions, and which of its nodes those are. */
void tree_write(const struct tree *tree, struct tree_node *const *nodes, size_t n_nodes, struct text *state);
/* Reads it into a tree that was just created; the nodes are held for the caller. No step may come after `max_steps`
 * others. False: nobody wrote that. */
bool tree_read(struct tree *tree, struct written *state, uint32_t max_steps, struct tree_node **nodes, size_t n_nodes);

#endif
