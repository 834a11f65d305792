/* SPDX-License-Identifier: MIT
 *
 * Threads as fibers on one kernel thread: switching stacks and thread-local storage.
 */
#ifndef HEDDLE_RUNTIME_FIBER_H
#define HEDDLE_RUNTIME_FIBER_H

#include "runtime.h"

void fiber_initialise(void);
/* Makes `thread` a fiber that calls entry() on its own stack, at the next switch to it. */
void fiber_prepare(struct thread *thread, void (*entry)(void));
void fiber_map_stack(struct thread *thread, size_t size_bytes);
/* The same, in line, from the running thread. */
void fiber_switch(struct thread *from, struct thread *to);
void fiber_switch_to(struct thread *thread);          /* from the current thread */
_Noreturn void fiber_leave_to(struct thread *thread); /* the current one is not continued */
void fiber_enter_from_root(struct thread *thread);    /* returns when a fiber calls fiber_return_to_root */
_Noreturn void fiber_return_to_root(void);
/* The same, but the thread continues as if the function of the runtime had returned 0 that it called, whose frame
 * begins here (SPIN_FRAME). */
void fiber_enter_frame(struct thread *thread, char *frame);
void fiber_visit_root(void); /* comes back when the root enters rt->current */

#endif
