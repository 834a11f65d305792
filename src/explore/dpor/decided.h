/* SPDX-License-Identifier: MIT
 *
 * How a run decided on its inputs between two of its steps: an outcome of the step before. Shared by those who hold it;
 * NULL: it did not decide, or that is not known.
 */
#ifndef HEDDLE_EXPLORE_DPOR_DECIDED_H
#define HEDDLE_EXPLORE_DPOR_DECIDED_H

#include "explore/inputs/inputs.h"

struct decided {
  uint32_t references, count;
  uint32_t own;          /* how many, from the first, are decisions of the thread that took the step */
  term_id constraints[]; /* hold for all inputs that decide the same way */
};

/* Where in a run's decisions those after a step are. */
struct decisions_range {
  uint32_t first, end;
};

struct decided *decided_hold(struct decided *decided);
void decided_release(struct decided *decided);

/* Of the decisions that the run made when it had taken `depth` steps. */
struct decisions_range decisions_behind(const struct trace_view *trace, uint32_t depth);
/* What they say, held for the caller; the step is one of `thread`. */
struct decided *decided_make(const struct trace_view *trace, const struct path *path, struct decisions_range range,
                             thread_id thread);
/* How many constraints come from the decisions of the range. */
uint32_t decided_count(const struct path *path, struct decisions_range range);
/* The first ones, and another one. Held for the caller. */
struct decided *decided_turn(const struct decided *decided, uint32_t count, term_id constraint);
/* Only those of the step's own thread: the others may belong to another step in another order. Held for the caller. */
struct decided *decided_own(struct decided *decided);
/* Is `beginning` how it begins? */
bool decided_begins(const struct decided *decided, const struct decided *beginning);
bool decided_is_same(const struct decided *a, const struct decided *b);
/* Would the inputs of the path decide this way? NULL: a run without inputs decides nothing. */
bool decided_holds(const struct decided *decided, struct inputs *inputs, const struct path *path);

#endif
