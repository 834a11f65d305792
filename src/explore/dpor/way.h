/* SPDX-License-Identifier: MIT
 *
 * The way to a node: the nodes from the beginning to it, by depth. It is kept when the next way is asked for, and what
 * the two have in common is not looked at again: it costs what is different, not the depth. A cache: it can be made
 * from the tree at any time.
 *
 * Nodes of the last way may have been forgotten meanwhile, and their memory used again. Ids never are, so a node that
 * is alive is on the last way if its id is; then all nodes above it are, too.
 */
#ifndef HEDDLE_EXPLORE_DPOR_WAY_H
#define HEDDLE_EXPLORE_DPOR_WAY_H

#include "explore/dpor/wakeup.h"

struct way {
  VECTOR(struct wakeup_node *) nodes; /* by depth */
  VECTOR(uint64_t) ids;               /* of these nodes */
};

void way_free(struct way *way);
/* The way to the node in place of the one before. Returns how many steps both begin with. */
uint32_t way_go_to(struct way *way, struct wakeup_node *node);
/* Adds a child of the last node. */
void way_extend(struct way *way, struct wakeup_node *child);

/* The steps of a way, which are kept in the same manner. */
struct way_steps {
  struct way way;
  struct schedule steps;
};

void way_steps_free(struct way_steps *steps);
/* Appends the steps from the beginning to the node. */
void way_append_steps(struct way_steps *steps, struct wakeup_node *node, struct schedule *schedule);

#endif
