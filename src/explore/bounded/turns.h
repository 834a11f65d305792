/* SPDX-License-Identifier: MIT
 *
 * Decisions about inputs whose other sides are still to be explored. Each was made after a step from a class, or before
 * the first step; a run to another side takes the same step with other inputs.
 */
#ifndef HEDDLE_EXPLORE_BOUNDED_TURNS_H
#define HEDDLE_EXPLORE_BOUNDED_TURNS_H

#include "explore/bounded/classes.h"
#include "explore/inputs/sides.h"

struct turn {
  class_id class;
  struct step step; /* NO_THREAD: before the first one */
  struct sides sides;
  term_list constraints; /* of the decisions before it, on the way of the run that made it */
  struct values *values; /* of that run */
};

/* A side: the decision with this number in the path of its run has this constraint. */
struct turned {
  size_t decision;
  term_id constraint; /* 0: none */
};

struct turns {
  VECTOR(struct turn) items; /* the newest last */
};

void turns_free(struct turns *self);
/* The i-th decision of the path was made after the step from the class. */
void turns_add(struct turns *self, class_id class, struct step step, const struct sides *sides, const struct path *path,
               size_t i);
/* Inputs for a side of the newest, and which one that is; *answer says whether there are any. */
struct turn turns_ask(struct turns *self, struct inputs *inputs, struct turned *turned, struct values **values,
                      enum answer *answer);

#endif
