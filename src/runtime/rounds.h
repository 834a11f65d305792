/* SPDX-License-Identifier: MIT
 *
 * Threads that come round a loop and leave everything as it was.
 */
#ifndef HEDDLE_RUNTIME_ROUNDS_H
#define HEDDLE_RUNTIME_ROUNDS_H

#include "spin.h"

void rounds_begin_thread(struct thread *thread);
/* While rt->n_attentive: what a thread performs now, before memory is accessed, and before anybody is woken. */
void rounds_see(struct thread *mover, const struct event *event);

/* ---- the running thread ---- */
/* It comes to an operation at this place; it may begin to rest. */
void rounds_look(struct thread *thread, const struct visit *visit);
static inline bool rounds_are_due(struct thread *thread) {
  return UNLIKELY(--thread->until_look == 0);
}
/* The same before an operation that reads, and perhaps spins (spin.h). */
static inline void rounds_before_read(struct thread *thread, struct visit visit) {
  spin_look_before_read(thread, &visit);
  if (rounds_are_due(thread)) rounds_look(thread, &(struct visit){visit.read, visit.site, visit.frame});
}
/* It writes memory that is not shared, and not its stack. */
void rounds_note_write(struct thread *thread, uint64_t address, uint64_t size);

/* ---- before a choice ---- */
static inline bool rounds_hold_back(const struct thread *thread) {
  return thread->rests && !thread->round.is_released;
}
/* It rests, and nobody else can move: may it? */
static inline bool rounds_let_go(const struct thread *thread) {
  return !thread->round.is_exhausted;
}
void rounds_wake(struct thread *thread); /* it moves on, and rests no more */

#endif
