/* SPDX-License-Identifier: MIT
 *
 * What the files that merge traces into the forest share (extract.c, extract_decisions.c).
 */
#ifndef HEDDLE_EXPLORE_CON2COLIC_EXTRACT_INTERNAL_H
#define HEDDLE_EXPLORE_CON2COLIC_EXTRACT_INTERNAL_H

#include "explore/con2colic/extract.h"

/* The run reached the node, which saw what `source` did; 0: nobody else's. */
void extraction_stamp(struct extraction *self, node_id node, node_id source);
/* Somebody may reach it, and nobody has: a target, unless it is known. */
node_id extraction_add_dangling(struct extraction *self, node_id parent, const struct node *what);
/* The thread does this next; returns its node. */
node_id extraction_go_on(struct extraction *self, const struct node *what, node_id source);
/* Is the thread's way still being merged? */
bool extraction_is_followed(const struct extraction *self, thread_id thread);

void extraction_read_decision(struct extraction *self, const struct trace_view *trace, uint32_t i);

#endif
