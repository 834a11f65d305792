/* SPDX-License-Identifier: MIT
 *
 * Loops that wait for a value: their reads are operations that wait until they find one that leads elsewhere.
 */
#ifndef HEDDLE_RUNTIME_AWAITS_H
#define HEDDLE_RUNTIME_AWAITS_H

#include "runtime.h"

void awaits_begin_run(void); /* after what is shared is known */

/* ---- the running thread ---- */
/* It was seen to come back to this read, and to nothing else that others can see: from now on the read is looked at. */
void awaits_mark(site_id site);
/* It is about to announce a read, an update or a compare-exchange of up to 8 bytes at this place. */
void awaits_come(struct thread *thread, const struct visit *visit, uint8_t kind);
/* It performs it. */
void awaits_leave(struct thread *thread);
/* It looks at the clock. */
void awaits_see_clock(void);

/* ---- before a choice ---- */
/* It stands before a read that would lead back there. */
static inline bool awaits_wait(const struct thread *thread) {
  return thread->await.is_on && !thread->await.leads_on;
}
/* Finds out of all threads that stand before such a read whether they can move. */
void awaits_look_ahead(void);

/* ---- rehearsals: a thread continues from its read, to see where that leads, and all of it is taken back ---- */
/* Nothing but the thread's stack may change in one. So whoever would do anything else ends it, before that is done. */
static inline bool rehearsal_is_on(void) {
  return UNLIKELY(rt->rehearsal.thread != NULL);
}
/* That is where the program calls the runtime, and where it returns to it from what the runtime called. */
_Noreturn void rehearsal_end(void); /* it leads on */
static inline void rehearsal_check(void) {
  if (rehearsal_is_on()) rehearsal_end();
}
void rehearsal_read(const struct visit *visit, uint8_t kind); /* it comes to a read that others can see */
void rehearsal_write(uint64_t address, uint64_t size);        /* it writes: returns if that is on its own stack */
/* Called on the executor's stack: performs the rehearsal that a thread asked for there. */
bool rehearsal_perform(void);
void rehearsal_begin(void); /* called by fiber.c, on the stack of the thread that begins one */

#endif
