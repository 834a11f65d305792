/* SPDX-License-Identifier: MIT
 *
 * What a strategy that follows decisions about inputs has to say about them in the end (struct strategy_stats), and the
 * questions that every such strategy asks about a run.
 */
#ifndef HEDDLE_EXPLORE_STRATEGY_INPUT_NOTES_H
#define HEDDLE_EXPLORE_STRATEGY_INPUT_NOTES_H

#include "explore/inputs/sides.h"
#include "explore/strategy/strategy.h"

/* As in struct strategy_stats. */
struct input_notes {
  uint64_t divergences;
  bool unsolved, made_concrete, addresses_left, lost;
};

/* The i-th decision of a path: another value of a pinned term would be another path. */
void notes_look_at_decision(struct input_notes *notes, struct inputs *inputs, const struct path *path, size_t i);
/* Only one value of the decision is explored: could it have another? */
void notes_look_at_value(struct input_notes *notes, struct inputs *inputs, const struct path *path, size_t i);
/* What sides_next() answered. */
void notes_look_at_answer(struct input_notes *notes, const struct sides *sides, enum answer answer);
void notes_tell(const struct input_notes *notes, struct strategy_stats *stats);
void notes_write(const struct input_notes *notes, struct text *state);
void notes_read(struct input_notes *notes, struct written *state);

/* Is the next decision, after the first `count`, made before the run takes its step number `depth` (from 0)? */
bool path_decides(const struct path *path, size_t count, uint32_t depth);
/* The first decision that is made after this many steps, or more. */
size_t path_first_at(const struct path *path, uint32_t depth);
/* Is the i-th decision made at this depth, on the side of the constraint? */
bool path_takes(const struct path *path, size_t i, uint32_t depth, term_id constraint);
/* A run of which only the events are left: where its decisions were is not known. */
bool run_is_lost(const struct inputs *inputs, const struct trace_view *trace, const struct path *path);

#endif
