/* SPDX-License-Identifier: MIT
 *
 * What con2colic testing counts as it goes: coverage by the number of interferences, and what stands between the
 * program and the branches that were not covered. A degree is a number of interferences.
 */
#ifndef HEDDLE_EXPLORE_CON2COLIC_CON2COLIC_H
#define HEDDLE_EXPLORE_CON2COLIC_CON2COLIC_H

#include "explore/strategy/account.h"

#define NO_DEGREE UINT32_MAX

struct con2colic_summary {
  uint64_t scenarios;                               /* looked at */
  uint64_t realised, without_order, without_inputs; /* of them; the others lacked something that must happen */
  uint64_t hazards;                                 /* looked at besides: hazards.h */
  uint32_t bug_degree;                              /* of the first bug; NO_DEGREE: none */
  VECTOR(uint64_t) covered;                         /* by degree: branch sides covered there and not below */
  uint64_t branch_sides, covered_sides;             /* of the program */
  uint64_t accesses, branches;                      /* of the forest: of shared variables; that depend on something */
  VECTOR(struct uncovered_side) uncovered; /* why, as far as the first scenario for it shows; the words are owned */
};

struct con2colic_summary *con2colic_summary_create(void);
void con2colic_summary_destroy(struct con2colic_summary *summary);

#endif
