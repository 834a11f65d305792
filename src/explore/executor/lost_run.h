/* SPDX-License-Identifier: MIT
 *
 * The trace of a run whose process could not write one: it died without a word, hung, or damaged the channel. What is
 * left of the run are the events it had already written into the trace ring, and what it had added to the knowledge.
 */
#ifndef HEDDLE_EXPLORE_EXECUTOR_LOST_RUN_H
#define HEDDLE_EXPLORE_EXECUTOR_LOST_RUN_H

#include "abi/channel.h"
#include "base/text.h"

struct lost_run {
  enum outcome outcome;
  int status; /* number of the signal, or exit status */
  const char *message;
  const struct process_knowledge *process; /* what the process added is in the trace; NULL: it is not to be believed */
  const uint8_t *covered, *covered_before; /* coverage bytes of the process, and those that are known; */
  uint32_t coverage_bytes;                 /* so many */
  uint32_t newest_shared;                  /* the version in which the process last found something to be shared */
};

/* Writes a sound record into `record`, which it clears first. `ring` is the trace ring; the channel may hold anything.
 */
void lost_run_write(struct text *record, const struct lost_run *lost, const struct plan *plan,
                    const struct channel *channel, const char *ring, uint64_t ring_bytes);

#endif
