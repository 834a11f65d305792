/* SPDX-License-Identifier: MIT
 *
 * One more run of a finding, in a process that has run nothing yet, with all that reports show: the whole trace, heap
 * blocks, output. It is a ticket of a pool, in a lane of its own.
 */
#ifndef HEDDLE_EXPLORE_LOOP_REPETITION_H
#define HEDDLE_EXPLORE_LOOP_REPETITION_H

#include "explore/executor/pool.h"
#include "explore/loop/findings.h"

struct repetition {
  struct lane *lane; /* NULL: none is under way */
  int output;        /* what the program prints, a file */
};

/* False: the program cannot be run. */
bool repetition_start(struct repetition *repetition, struct pool *pool, const struct executor_settings *settings,
                      const struct finding *finding, struct error *error);
/* The last reply of its lane has come: trace, output and new threads become those of the finding. */
void repetition_finish(struct repetition *repetition, struct finding *finding, const struct reply *reply);
/* Gives it up; nothing happens when none is under way. */
void repetition_abandon(struct repetition *repetition);

#endif
