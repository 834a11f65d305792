/* SPDX-License-Identifier: MIT
 *
 * Twins: threads that are the same, for --symmetry auto. docs/algorithms/symmetry.md has the argument.
 *
 * Threads that one thread creates one after the other, without a step in between, with the same function, argument and
 * attributes form a group. Two of them are twins as long as nothing that they have done tells them apart: they have
 * taken no step yet, or read the same values in places that nobody wrote to in between. Of twins the one with the lower
 * id goes first: the others are not among the choices before it has taken its next step. Renaming makes every run one
 * of those that are left, provided nothing in the program asks who a thread is. Whoever does tells the whole group
 * apart: that is learned like shared memory, and from the next run on there is no such group.
 */
#ifndef HEDDLE_RUNTIME_TWINS_H
#define HEDDLE_RUNTIME_TWINS_H

#include "runtime.h"

void twins_begin_run(void);
void twins_begin_thread(struct thread *thread);
/* The thread has just been created: does it belong to the group of its creator's last child? */
void twins_meet(struct thread *parent, struct thread *thread, uint64_t stack_bytes);
/* Takes out of rt->enabled those that have to let a twin go first. */
void twins_hold_back(void);
/* The thread was chosen. */
void twins_step(struct thread *thread);
/* The step was this read of memory, whose value is known. */
void twins_read(struct event *event);
/* An event that may change what was read. */
void twins_overwrite(const struct event *event);
/* The running thread joins one that has ended. True: what that one did counts as known to it only later. */
bool twins_join(struct thread *joined, bool takes_result);
/* Something asks who the thread is: in words. */
void twins_tell_apart(struct thread *thread, const char *how);
/* The thread is about to end. */
void twins_end_thread(const struct thread *thread);
/* The run is over: did an address of a member's own memory become known to others? */
void twins_end_run(void);

#endif
