/* SPDX-License-Identifier: MIT
 *
 * A file from which an exploration continues where it was (--save, --resume): every reply of the executor in its order.
 *
 * What a strategy knows follows from its settings and the traces it has absorbed, and so does what the loop knows. So
 * an exploration that gets the same replies to the same plans reaches the same state, whatever strategy it has and
 * whatever inputs the program has: nothing of either is in the file. Runs that were under way are plans without a
 * reply, and are made.
 *
 *     header       magic, versions, and the identity: a text that says which exploration this is
 *     REPLY        which plan it answers, and the trace, with what its run has added to what is known
 *     CHECKPOINT   the process was at rest: all that it has run is in the replies before
 *
 * Every record has a sum over its bytes. Reading ends at the last checkpoint that is whole: what a process that was
 * killed has written after it is cut off.
 */
#ifndef HEDDLE_EXPLORE_EXECUTOR_JOURNAL_H
#define HEDDLE_EXPLORE_EXECUTOR_JOURNAL_H

#include "base/error.h"
#include "base/text.h"
#include "trace/trace.h"

struct journal;

/* What a REPLY says beside its trace. */
struct journal_reply {
  uint64_t plan_hash; /* journal_hash_plan() of the plan it answers */
  uint32_t isolation; /* the executor's when it was received */
  uint8_t plan_done, damaged, is_alive, unused;
};

enum journal_entry {
  JOURNAL_REPLY,
  JOURNAL_END,    /* the last checkpoint: from here on runs are made and written down */
  JOURNAL_FAILED, /* the file cannot be read */
};

/* A new file, which replaces an old one. NULL: see the error. */
struct journal *journal_create(const char *path, const char *identity, struct error *error);
/* An earlier file, which must have the same identity. It is read first, then continued. */
struct journal *journal_resume(const char *path, const char *identity, struct error *error);
void journal_destroy(struct journal *journal);

/* Which run a plan asks for. How many times does not count, nor for which version: both may depend on the clock. */
uint64_t journal_hash_plan(const struct plan *plan);

/* Are there entries to be read? */
bool journal_is_reading(const struct journal *journal);
/* The next reply, with its trace in `record`. */
enum journal_entry journal_read(struct journal *journal, struct journal_reply *reply, struct text *record);

void journal_write_reply(struct journal *journal, const struct journal_reply *reply, const struct text *record);
/* Is it time for a checkpoint? Then no plans should be sent until the process is at rest. */
bool journal_is_due(const struct journal *journal);
void journal_write_checkpoint(struct journal *journal);
/* Something that cannot be saved has happened, or writing failed: the file stays as it was at the last checkpoint. */
void journal_give_up(struct journal *journal, const char *because);
/* Why nothing is written any more; NULL: all is well. */
const char *journal_trouble(const struct journal *journal);

#endif
