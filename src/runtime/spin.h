/* SPDX-License-Identifier: MIT
 *
 * Threads that read the same values again and again.
 */
#ifndef HEDDLE_RUNTIME_SPIN_H
#define HEDDLE_RUNTIME_SPIN_H

#include "runtime.h"

/* The program's state at a runtime function: callee-saved registers and everything above them on its stack. */
#define SPIN_FRAME()                                                                                                   \
  ({                                                                                                                   \
    __builtin_unwind_init();                                                                                           \
    (char *)__builtin_frame_address(0) - 40;                                                                           \
  })
/* Called before an operation that reads and perhaps leaves everything as it is; may park the thread. The visit's value
 * does not matter. */
void spin_look_before_read(struct thread *thread, const struct visit *visit);
static inline void spin_before_read(struct thread *thread, struct visit visit) {
  spin_look_before_read(thread, &visit);
}
/* Called when it is its turn, with the value it reads, unless spin_end is called. */
void spin_look_after_read(struct thread *thread, const struct visit *visit);
static inline void spin_after_read(struct thread *thread, struct visit visit) {
  spin_look_after_read(thread, &visit);
}
/* The thread stops running: what it called counts as progress of this thread. */
void spin_note_opaque_calls(struct thread *thread);
/* The same for a read of memory that is not shared, so far; true if the thread spins on it, and it is shared now. */
bool spin_before_private_read(struct thread *thread, struct visit visit);
void spin_end(struct thread *thread);     /* something changed: start over */
void spin_changes(struct thread *thread); /* the same for what rounds.c can see undone */
struct state_mark spin_state_mark(const struct thread *thread, const struct visit *visit);
/* After spin_before_private_read() has returned true where nothing is read: the loop reads memory elsewhere, which is
 * shared now, and the thread is looked at there. */
bool spin_leave_to_reads(struct thread *thread);
void spin_suspect(struct thread *thread); /* it has not reached a visible operation for long */
static inline bool spin_is_watched(const struct thread *thread) {
  return thread->spin.armed || thread->spin.suspected || thread->is_watched || thread == rt->stepped ||
         thread == rt->rehearsal.thread;
}
/* A thread is held back from a round of its loop that would change nothing. */
static inline void spin_leave_out_round(void) {
  rt->n_rounds += rt->n_steps >= rt->plan->n_steps;
}
bool spin_can_continue(const struct thread *thread);
bool spin_watches_many(const struct thread *thread); /* values that others may change */

#endif
