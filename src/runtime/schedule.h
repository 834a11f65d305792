/* SPDX-License-Identifier: MIT
 *
 * Whose turn it is.
 */
#ifndef HEDDLE_RUNTIME_SCHEDULE_H
#define HEDDLE_RUNTIME_SCHEDULE_H

#include "awaits.h"
#include "runtime.h"
#include "trace.h"

site_id take_site(void); /* of the call being modelled; 0 when it comes from code that is not instrumented */
/* The running thread has announced its next operation, in `operation`: returns when it is its turn. */
void schedule_announced(struct thread *thread);
/* The same, in line up to the switch to another thread: for what most operations are. `can_block` as announced. */
void schedule_in_line(struct thread *thread, bool can_block);
/* Announces it, and the same. In line, so that the operation is written straight to its place. */
static inline void schedule_operation(struct operation operation) {
  rehearsal_check();
  trace_complete_value(self());
  self()->operation = operation;
  schedule_announced(self());
}
void schedule_local(struct thread *thread); /* it can continue by itself */
_Noreturn void schedule_leave(void);        /* the running thread is not continued */
void schedule_others(void);
/* The running thread does the same from here on forever; `instruction` is the lowest one of it. */
_Noreturn void schedule_park_for_good(uint64_t instruction); /* the running thread does not continue */
void schedule_wait_for_join(thread_id target, site_id site);
void schedule_wait_at_barrier(struct object *barrier, site_id site);
void schedule_open_barrier(const struct object *barrier);
/* Until another thread calls schedule_local for it; `kind` is what it will do then. */
void schedule_hold(uint8_t kind, struct object *object, site_id site);
void schedule_wake_from_join(struct thread *thread); /* its target has not ended: it is cancelled */
_Noreturn void schedule_thread_ended(void);

/* The thread stands before an operation: can it be performed now? */
bool schedule_can_move(const struct thread *thread);
/* EVENT_PARKED, EVENT_OF_ALL: of the step it would take now. */
uint8_t schedule_step_flags(const struct thread *thread);
/* pending.c: what the thread stands before. */
void pending_describe(const struct thread *thread, struct pending *pending);

#endif
