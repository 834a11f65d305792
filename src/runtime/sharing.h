/* SPDX-License-Identifier: MIT
 *
 * Which memory is shared, learned from the accesses of all runs.
 */
#ifndef HEDDLE_RUNTIME_SHARING_H
#define HEDDLE_RUNTIME_SHARING_H

#include "runtime.h"

/* Notes an access and says whether it is a visible operation. */
bool sharing_touch(uint64_t address, uint64_t size, bool writes);
void sharing_make_shared(uint64_t address, uint64_t size);
/* Notes that a whole block is written (it will be freed), at the cost of what was touched of it. */
bool sharing_touch_block(uint64_t address, uint64_t size);
/* The same for frames that are left, all of which is noted that was touched in this run. */
bool sharing_touch_used(uint64_t address, uint64_t size);
/* Some bytes hold terms now, or hold other ones: the fast path is not for them (term_memory.c). */
void sharing_hide(uint64_t granule);
/* The next access of anybody takes the slow path. */
void sharing_forget(uint64_t address, uint64_t size);
void sharing_new_thread(struct thread *parent, struct thread *child);
/* What its creator did since it created `first` is not before what the thread does. */
void sharing_be_born_with(const struct thread *thread, const struct thread *first, const struct thread *parent);
/* What the ended thread did is before what the joiner does. */
void sharing_learn_from(const struct thread *joiner, const struct thread *ended);
/* Notes in the trace that what the joined thread did is looked at. */
void sharing_saw(const struct thread *joined);
/* The same of all that the running thread has joined. */
void sharing_saw_joined(void);
void sharing_new_segment(struct thread *thread);
/* By creation and joining alone, everything in the segment is before what the thread does now. */
bool sharing_is_before(uint32_t segment, thread_id thread);
/* While only one thread has ever existed nothing is shared, and no access is a visible operation. */
static inline bool sharing_is_possible(void) {
  return rt->n_threads > 1;
}
/* Nothing that another thread has done or will do without it is concurrent to what the running thread does now. */
bool sharing_is_alone(void);
void sharing_load_knowledge(void);
/* Are bytes shared that were not known to be when the plan's steps were chosen? */
static inline bool sharing_is_newer(const struct plan *plan) {
  return plan->seen && rt->newest_shared >= plan->seen;
}
/* Is an operation on these bytes visible only because of such bytes? */
bool sharing_makes_visible(uint64_t address, uint64_t size);
/* The program uses much memory here: the shadow may be in large pages. */
void sharing_expect_much(uint64_t address, uint64_t size);
void sharing_begin_run(void);
/* While a thread is watched for spinning, every access of it takes the slow path. */
void sharing_set_owner(const struct thread *thread);

/* The record of eight bytes; NULL if they have none, or, of make, when there is no room. */
struct granule *sharing_record_at(uint64_t address);
struct granule *sharing_make_record(uint64_t address);

#endif
