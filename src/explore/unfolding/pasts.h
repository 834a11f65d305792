/* SPDX-License-Identifier: MIT
 *
 * The past of an event in the configuration: the event and all that it follows. Who asks for one past after another, to
 * find extensions or to choose what is run next, mostly asks for events whose pasts have much in common. So the past
 * stays in the configuration, and in it, one after the other, those of events that it follows: only what is not part of
 * the next past is taken out, and only what is missing is put in.
 */
#ifndef HEDDLE_EXPLORE_UNFOLDING_PASTS_H
#define HEDDLE_EXPLORE_UNFOLDING_PASTS_H

#include "explore/unfolding/configuration.h"

struct pasts;

/* The configuration is empty. */
struct pasts *pasts_create(struct net_configuration *configuration);
void pasts_destroy(struct pasts *self);

/* The configuration becomes the past of the event. Whatever was added to the last past is taken out. */
void pasts_put(struct pasts *self, event_id event);
/* The same for a past that may be run. With inputs, the order in which it is put in decides in which order the solver
 * is given constraints, and does not depend on what was there before. */
void pasts_put_to_run(struct pasts *self, event_id event);
/* Takes the event of the last past out again, with whatever was added; the past of one that it follows stays. */
void pasts_take_out(struct pasts *self);
/* Empties the configuration. */
void pasts_put_away(struct pasts *self);

#endif
