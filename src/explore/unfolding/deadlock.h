/* SPDX-License-Identifier: MIT
 *
 * Deadlocks that an unfolding contains, whether or not a run has reached them. Section 4.4 of the paper;
 * docs/algorithms/unfolding.md says how the search here differs.
 *
 * While the unfolding grows, every new thread condition starts a search for circles of threads that each hold what
 * another one wants (Fig. 11). When it is complete, a search finds all deadlocks that would be findings of their own:
 * states in which every thread has ended or stands still. What is found becomes a run; what counts is what the run
 * shows.
 */
#ifndef HEDDLE_EXPLORE_UNFOLDING_DEADLOCK_H
#define HEDDLE_EXPLORE_UNFOLDING_DEADLOCK_H

#include "explore/unfolding/pasts.h"
#include "trace/trace.h"

struct deadlocks;

/* Can the configuration happen, with some inputs? */
typedef bool can_happen(void *context, const struct net_configuration *configuration);

/* They are searched for with the configuration, in which the pasts of events are put. */
struct deadlocks *deadlocks_create(struct net_configuration *configuration, struct pasts *pasts, can_happen *can_happen,
                                   void *context);
void deadlocks_destroy(struct deadlocks *self);

/* A run has been absorbed. Looks at net.fresh and empties it. */
void deadlocks_absorb(struct deadlocks *self, const struct trace_view *trace);
/* The extension was tried in vain. */
void deadlocks_note_impossible(struct deadlocks *self, event_id extension);

/* The configuration becomes a possible deadlock that no run has shown. False: none is known. */
bool deadlocks_take(struct deadlocks *self);
/* The unfolding is complete: continues the search for all deadlocks. True: one can be taken. */
bool deadlocks_search(struct deadlocks *self);
/* Is there something to take, or to search if the unfolding is complete? */
bool deadlocks_has_work(const struct deadlocks *self);
/* The search was given up somewhere. */
bool deadlocks_is_bounded(const struct deadlocks *self);
double deadlocks_seconds(const struct deadlocks *self);

#endif
