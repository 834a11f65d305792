/* SPDX-License-Identifier: MIT
 *
 * A schedule in other words. When a run is found to fail while more of its memory turns out to be shared, its steps do
 * not mention what it read there. With the larger shared set the same run has more steps: they are found by running it
 * once for every stretch, one thread at a time. The search yields candidates and absorbs their traces, as minimise.h
 * does.
 *
 * A stretch is what a thread does, from a step on, until another thread is to move. Before its next step of the old
 * schedule a thread does all that the old one did not see: where a stretch ends, the new one ends before that step.
 */
#ifndef HEDDLE_EXPLORE_LOOP_TRANSLATE_H
#define HEDDLE_EXPLORE_LOOP_TRANSLATE_H

#include "explore/loop/findings.h"

struct translation;

/* Of the run of this trace, which is recorded from its beginning; a plan has at most so many steps. */
struct translation *translation_create(const struct trace_view *trace, uint32_t max_steps);
void translation_destroy(struct translation *translation);
/* The schedule of the next run, whose plan is lenient and stays with a thread as long as it can. NULL: it is over. It
 * is valid until the next call. */
const struct schedule *translation_next(struct translation *translation);
void translation_absorb(struct translation *translation, const struct trace_view *trace);
/* The whole schedule. NULL: a thread did something else than in the old run. */
const struct schedule *translation_result(const struct translation *translation);

#endif
