/* SPDX-License-Identifier: MIT
 *
 * Runs as events of a net: each operation of a run is looked up by what it follows, and added when no run has shown it
 * before. Section 4.1 of the paper, lines 7 to 15 of its Fig. 8.
 */
#ifndef HEDDLE_EXPLORE_UNFOLDING_ABSORB_H
#define HEDDLE_EXPLORE_UNFOLDING_ABSORB_H

#include "explore/unfolding/extensions.h"
#include "explore/unfolding/layout.h"
#include "trace/trace.h"

struct absorber;

struct absorber *absorber_create(struct net *net, struct layout *layout, struct extensions *extensions);
void absorber_destroy(struct absorber *self);

/* `expected` are events that it should show, those of each thread in their order. False: the layout was wrong. It has
 * been corrected, and the net must be made anew. */
bool absorb_run(struct absorber *self, const struct trace_view *trace, const event_ids *expected);

#endif
