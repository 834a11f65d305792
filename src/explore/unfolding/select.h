/* SPDX-License-Identifier: MIT
 *
 * Which extensions a run is made for. A run goes on to the last event of each thread, so that it can show one new way
 * of each thread, and no more: there are at least as many runs as the thread with the most last events has. So a run is
 * made for an extension of the thread with the most of them, and then for extensions of the other threads that can
 * happen in the same run.
 */
#ifndef HEDDLE_EXPLORE_UNFOLDING_SELECT_H
#define HEDDLE_EXPLORE_UNFOLDING_SELECT_H

#include "explore/unfolding/net.h"

struct selection;

struct selection *selection_create(struct net *net);
void selection_destroy(struct selection *self);

/* Those of the extensions that have not been executed meanwhile. */
void selection_add(struct selection *self, const event_ids *extensions);
/* Appends the targets of the next run, of which the first may be an unsure one if it is alone; they and what they
 * follow are the configuration at hand. False: there is none. */
bool selection_take(struct selection *self, event_ids *targets);

#endif
