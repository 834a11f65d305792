/* SPDX-License-Identifier: MIT
 *
 * Runs as events of a net: each operation of a run is looked up by what it follows, and added when no run has shown it
 * before. Section 4.1 of the paper, lines 7 to 15 of its Fig. 8.
 */
#ifndef HEDDLE_EXPLORE_UNFOLDING_ABSORB_H
#define HEDDLE_EXPLORE_UNFOLDING_ABSORB_H

#include "explore/strategy/input_notes.h"
#include "explore/unfolding/extensions.h"
#include "explore/unfolding/layout.h"
#include "trace/trace.h"

struct absorber;

/* The sides of a decision about an address, which follows the event. */
struct open_address {
  event_id event;
  operation_id operation;
  struct sides sides;
};

typedef VECTOR(struct open_address) open_addresses;

struct absorber *absorber_create(struct net *net, struct layout *layout, struct extensions *extensions,
                                 struct inputs *inputs, struct input_notes *notes);
void absorber_destroy(struct absorber *self);

/* `expected` are events that it should show, those of each thread in their order. False: the layout was wrong. It has
 * been corrected, and the net must be built again. */
bool absorb_run(struct absorber *self, const struct trace_view *trace, const event_ids *expected);

/* Those found since the list was last emptied, which the caller does. */
open_addresses *absorber_addresses(struct absorber *self);
/* Inputs of a run that has shown the event. */
const struct values *absorber_values(const struct absorber *self, event_id event);

#endif
