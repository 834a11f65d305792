/* SPDX-License-Identifier: MIT
 *
 * Possible extensions: the events that can be added to a net, found when an event has been run. Section 5 of the paper;
 * docs/algorithms/unfolding.md maps its eight cases to what is here.
 *
 * An extension is a thread condition (an event whose thread does `next`) with a condition of each object that `next`
 * touches, all of which can be marked together. Each pair of a thread condition and a condition of its first object
 * that can be marked together is found once: when the later of the two comes into being. The pairs are kept with the
 * condition (`users`), also those where the operation cannot happen: a lock that is held. So what follows a condition
 * has to be looked for only among the users of its parent, and what follows a thread condition only downwards in the
 * tree of the object, from the condition that is there when just what the thread knows of has happened.
 */
#ifndef HEDDLE_EXPLORE_UNFOLDING_EXTENSIONS_H
#define HEDDLE_EXPLORE_UNFOLDING_EXTENSIONS_H

#include "explore/unfolding/pasts.h"

struct extensions;

/* They are found with the configuration, which has the past of an event, and is left with one. */
struct extensions *extensions_create(struct net_configuration *configuration, struct pasts *pasts);
void extensions_destroy(struct extensions *self);

/* The event has been run, and what its thread does next may be known. */
void extensions_of_event(struct extensions *self, event_id event);
/* What the thread of the event does next has become known. */
void extensions_of_thread(struct extensions *self, event_id event);

/* Those found since the list was last emptied, which the caller does. */
event_ids *extensions_found(struct extensions *self);

#endif
