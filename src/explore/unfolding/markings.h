/* SPDX-License-Identifier: MIT
 *
 * All deadlocks of a complete unfolding: configurations after which every thread has ended or stands still. Of those
 * that look the same, it searches for one.
 */
#ifndef HEDDLE_EXPLORE_UNFOLDING_MARKINGS_H
#define HEDDLE_EXPLORE_UNFOLDING_MARKINGS_H

#include "explore/unfolding/deadlock.h"
#include "explore/unfolding/halts.h"
#include "explore/unfolding/verdicts.h"

struct markings;

struct markings *markings_create(struct halts *halts, struct net_configuration *configuration,
                                 struct verdicts *verdicts, can_happen *can_happen, void *context);
void markings_destroy(struct markings *self);

/* Finds the next deadlock, the last events of its threads; *has_ended: there is no other. False without that: not
 * found yet, ask again. */
bool markings_find(struct markings *self, event_ids *events, bool *has_ended);
/* Something was given up because it took too long. */
bool markings_is_bounded(const struct markings *self);

#endif
