/* SPDX-License-Identifier: MIT
 *
 * Which sets of events are runs, as constraints for the solver: a bit for every event, and
 *
 *     causality    an event needs its causes
 *     conflict     a condition is consumed once; a thread goes one way
 *     reading      who reads a condition that another event of the run consumes comes before it: a cause of it in an
 *                  ordinary unfolding; in a contextual one the order of "is a cause of, or reads what the other
 *                  consumes" must have no cycle. Cycles are looked for in solutions, and those found are forbidden.
 *     inputs       the constraints of the events hold
 *     promptness   what is not a step of the schedule has happened when it can
 *
 * A solution is a configuration; a linear order of it is the beginning of a run.
 */
#ifndef HEDDLE_QUERY_CONFIGURATION_H
#define HEDDLE_QUERY_CONFIGURATION_H

#include "query/expression.h"
#include "solve/solver.h"
#include "structure/structure.h"

struct configurations;

/* Makes its terms in the structure's terms. */
struct configurations *configurations_create(struct structure *structure, uint32_t timeout_milliseconds);
void configurations_destroy(struct configurations *configurations);

/* The variables of an expression are those of structure_append_variables, its threads those of the structure. */
struct expression_meaning configurations_meaning(struct configurations *configurations);

/* What is learnt on the way: from now on the condition has this value. */
void configurations_learn(struct configurations *configurations, uint32_t condition);

struct configuration {
  event_numbers events; /* in an order in which they can happen */
  struct model model;   /* of the inputs, among others */
};

void configuration_free(struct configuration *configuration);

/* A configuration for which the one-bit term holds. */
enum answer configurations_find(struct configurations *configurations, term_id wanted,
                                struct configuration *configuration);

/* The condition of the object that holds at the end of the configuration; 0: none that is known. */
uint32_t configuration_condition(const struct configurations *configurations, const struct configuration *configuration,
                                 uint32_t object);
uint64_t configurations_forbidden_cycles(const struct configurations *configurations);

#endif
