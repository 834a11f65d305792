/* SPDX-License-Identifier: MIT
 *
 * The naive search for possible extensions of section 4.2.1 of the paper, as a check of the quick one
 * (--check-extensions): every thread condition with every condition of its objects, and a check for concurrency that
 * collects all that causally precedes them. It shares nothing with configuration.c and extensions.c.
 */
#ifndef HEDDLE_EXPLORE_UNFOLDING_NAIVE_H
#define HEDDLE_EXPLORE_UNFOLDING_NAIVE_H

#include "explore/unfolding/net.h"

/* Ends heddle with an internal error if the net lacks an extension, or has one that is not an extension. */
void naive_check(const struct net *net);

#endif
