/* SPDX-License-Identifier: MIT
 *
 * What con2colic testing has to say beyond what every strategy says: coverage by the number of interferences, and why
 * branches were not covered. A degree is a number of interferences.
 */
#ifndef HEDDLE_EXPLORE_CON2COLIC_CON2COLIC_H
#define HEDDLE_EXPLORE_CON2COLIC_CON2COLIC_H

#include "abi/sites.h"
#include "base/memory.h"

#include <stdbool.h>

#define NO_DEGREE UINT32_MAX

/* Why a side of a branch could not be taken, as far as the first scenario for it shows. */
struct uncovered_side {
  site_id site;
  bool side;
  char *because; /* owned */
};

struct con2colic_summary {
  uint64_t scenarios;                               /* looked at */
  uint64_t realised, without_order, without_inputs; /* of them; the others lacked something that must happen */
  uint64_t hazards;                                 /* looked at besides: hazards.h */
  uint64_t left;                                    /* known and not looked at */
  uint32_t lowest_left;                             /* degree; NO_DEGREE: none is left */
  uint32_t bug_degree;                              /* of the first bug; NO_DEGREE: none */
  VECTOR(uint64_t) covered;                         /* by degree: branch sides covered there and not below */
  uint64_t branch_sides, covered_sides;             /* of the program */
  uint64_t nodes, accesses, branches; /* of the forest: all; of shared variables; that depend on something */
  uint64_t order_questions, data_questions;
  uint64_t disagreements; /* of the two ways to find orders */
  double order_seconds, data_seconds;
  VECTOR(struct uncovered_side) uncovered;
};

struct con2colic_summary *con2colic_summary_create(void);
void con2colic_summary_destroy(struct con2colic_summary *summary);

#endif
