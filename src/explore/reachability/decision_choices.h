/* SPDX-License-Identifier: MIT
 *
 * The decisions of a run as choices of its threads: way 0 is the side that the run took, the others are the sides it
 * did not take, as far as they can be known from the decision alone. Whether there are inputs for one is asked when it
 * is to be taken, together with all other decisions that are to stay as they were.
 */
#ifndef HEDDLE_EXPLORE_REACHABILITY_DECISION_CHOICES_H
#define HEDDLE_EXPLORE_REACHABILITY_DECISION_CHOICES_H

#include "explore/strategy/input_notes.h"

struct decision_choices {
  VECTOR(uint16_t) counts; /* per decision of the trace: how many ways, 0: all inputs would take the same */
  VECTOR(uint32_t) firsts; /* per decision: of its ways in `sides` */
  term_list sides;
};

void choices_clear(struct decision_choices *ways);
void choices_free(struct decision_choices *ways);
void choices_list(struct decision_choices *ways, struct inputs *inputs, const struct trace_view *trace,
                  const struct path *path, struct input_notes *notes);
/* The constraint of a way of the decision. */
term_id choices_side(const struct decision_choices *ways, uint32_t decision, uint32_t way);

#endif
