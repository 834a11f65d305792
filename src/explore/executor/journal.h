/* SPDX-License-Identifier: MIT
 *
 * A file from which an exploration continues where it was (--save, --resume): a state of it, and every reply of the
 * executor since then in its order.
 *
 * What a strategy knows follows from its settings and the traces it has absorbed, and so does what the loop knows. So
 * an exploration that gets the same replies to the same plans reaches the same state, whatever strategy it has and
 * whatever inputs the program has. Runs that were under way are plans without a reply, and are made.
 *
 *     header       magic, versions, and the identity: a text that says which exploration this is
 *     STATE        what the loop and the strategy know (explore/loop/state.c); none: the replies are those from the
 * start REPLY        which plan it answers, and the trace, with what its run has added to what is known CHECKPOINT the
 * process was at rest: all that it has run is in the replies before
 *
 * Where what is left to do is small, a new state replaces the file once a minute, and before that when the replies have
 * become many: its size is then bounded by what the strategy holds. Where a strategy's state is a structure made of all
 * its traces (unfolding, contextual, con2colic), or the program has inputs, so that the solver's memory is such a
 * structure, there is no state: the traces determine the structure, they are what all their readers already check, and
 * written one as the difference to the other they are smaller than it.
 *
 * Every record has a sum over its bytes. Reading ends at the last checkpoint that is whole: what a process that was
 * killed has written after it is cut off. A new file is written aside and then takes the place of the old one.
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

/* How the line of an identity begins that says which heddle it is: another one may write other states. */
#define JOURNAL_MAKER "heddle "

/* A new file, which replaces an old one of the same exploration, and no other. NULL: see the error. */
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
/* How long after one state the next is due; without this, a minute. */
void journal_set_state_seconds(struct journal *journal, double seconds);
/* Is it time for a state in place of all that was written? */
bool journal_state_is_due(const struct journal *journal);
void journal_write_state(struct journal *journal, const struct text *state);
/* The state with which the earlier file begins, NULL: it has none, or it is not read any more. */
const struct text *journal_state(const struct journal *journal);
/* Something that cannot be saved has happened, or writing failed: the file stays as it was at the last checkpoint. */
void journal_give_up(struct journal *journal, const char *because);
/* Why nothing is written any more; NULL: all is well. */
const char *journal_trouble(const struct journal *journal);

#endif
