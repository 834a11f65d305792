/* SPDX-License-Identifier: MIT
 *
 * The sides of a decision that a run did not take, asked for one after the other:
 *
 *     BRANCH   the other side
 *     ASSUME   the side on which it holds, when the run ended there
 *     ADDRESS  an address outside the object, once; then the other addresses inside it, one by one
 *
 * GIVEN has no other side. Nor has PIN: sides_can_differ asks whether its term could have another value, but no run is
 * made for one.
 */
#ifndef HEDDLE_EXPLORE_INPUTS_SIDES_H
#define HEDDLE_EXPLORE_INPUTS_SIDES_H

#include "explore/inputs/inputs.h"

struct sides {
  enum sides_stage { SIDES_OTHER, SIDES_ABOVE, SIDES_BELOW, SIDES_INSIDE, SIDES_OVER } stage;
  term_id term;   /* that decides */
  term_id other;  /* OTHER: the constraint of the other side */
  term_id inside; /* INSIDE: in the object, and none of those taken */
  term_id above, below;
  uint32_t taken;    /* addresses inside the object */
  double share;      /* of the tree, for estimates: exhaustive.c */
  bool beyond_bound; /* there are more addresses than max_address_targets */
};

/* False: there are none. */
bool sides_open(struct sides *sides, struct inputs *inputs, const struct path_decision *decision);
/* Asks for the next side, after constraints that hold for `hint`. SATISFIABLE: *solution, held for the caller, takes
 * the side that *constraint describes. Any other answer: there are no inputs for this side, or none were found. Until
 * `stage` is SIDES_OVER. */
enum answer sides_next(struct sides *sides, struct inputs *inputs, const term_id *constraints, size_t count,
                       const struct values *hint, struct values **solution, term_id *constraint);
/* Could a pinned term have another value? `count` is how many constraints of the path come before the pin. */
bool sides_can_differ(struct inputs *inputs, const struct path *path, size_t count);

#endif
