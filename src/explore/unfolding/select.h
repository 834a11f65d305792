/* SPDX-License-Identifier: MIT
 *
 * Which extensions a run is made for. A run continues to the last event of each thread, so it can show one new path of
 * each thread and no more: there are at least as many runs as the thread with the most last events has. So a run is
 * made for an extension of the thread with the most of them, and then for extensions of the other threads that can
 * happen in the same run. The first target cannot happen together with those of the runs under way, or they might show
 * it too.
 */
#ifndef HEDDLE_EXPLORE_UNFOLDING_SELECT_H
#define HEDDLE_EXPLORE_UNFOLDING_SELECT_H

#include "explore/unfolding/absorb.h"

struct selection;

/* No run may have more than `max_steps` steps. */
struct selection *selection_create(struct net_configuration *configuration, struct pasts *pasts, uint32_t max_steps,
                                   struct absorber *absorber, struct inputs *inputs, struct input_notes *notes);
void selection_destroy(struct selection *self);

/* Those of the extensions that have not been executed meanwhile. */
void selection_add(struct selection *self, const event_ids *extensions);
/* Addresses that may have other values. */
void selection_add_addresses(struct selection *self, const open_addresses *addresses);
uint64_t selection_left(const struct selection *self);
/* Was one left out because it takes too many steps to reach? */
bool selection_is_bounded(const struct selection *self);
/* Appends the targets of the next run, of which the first may be an unsure one if it is alone, and makes the
 * configuration the past of all of them, with that of the first as the last that was put in. *values, held for the
 * caller, are inputs for it. False: there is none, or no inputs were found for some, and there may be others. */
bool selection_take(struct selection *self, event_ids *targets, struct values **values);
/* The run for this first target has ended. */
void selection_end(struct selection *self, event_id first);

/* Inputs for the configuration, in which nothing is an extension. False: it cannot happen, as far as is known. */
bool selection_find_inputs(struct selection *self, const struct net_configuration *configuration,
                           struct values **values);

#endif
