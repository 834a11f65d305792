/* SPDX-License-Identifier: MIT
 *
 * Constraints of scenarios in which threads wait forever (NODE_HALT). A thread that waits for a lock or for the end of
 * a thread waits for one other thread that goes no further: that one is needed. A thread that waits for anything else
 * (a signal, a token, arrivals at a barrier, a value) waits for all others: none of them may be able to continue, so
 * all are needed, each where it goes no further.
 */
#ifndef HEDDLE_EXPLORE_CON2COLIC_REALISE_HALTS_H
#define HEDDLE_EXPLORE_CON2COLIC_REALISE_HALTS_H

#include "explore/con2colic/realise.h"

/* Adds what the halt needs, and its demands. */
void halt_demand(struct realiser *self, uint32_t index);
/* When nothing more is needed: adds the demands of those that wait for all others. False: somebody can continue. */
bool halts_close(struct realiser *self);
/* What the last round of a loop that waits has found there is what it would find now: a constraint of data. */
void halts_add_constraints(struct realiser *self, term_id (*seen)(struct realiser *self, uint32_t index));
/* After "no inputs": loops that wait may see another write of the same value. */
void halts_add_needs(struct realiser *self);

#endif
