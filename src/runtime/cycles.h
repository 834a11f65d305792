/* SPDX-License-Identifier: MIT
 *
 * Threads that together come back to a state, although none of them does so alone.
 */
#ifndef HEDDLE_RUNTIME_CYCLES_H
#define HEDDLE_RUNTIME_CYCLES_H

#include "runtime.h"

void cycles_begin_run(void);
/* The running thread comes round a loop that it is watched at (rounds.c), with the state that it had there before. Ends
 * the run if everything else is as it was at an earlier such moment, too, and a fair scheduler could go on like that.
 */
void cycles_look(const struct visit *visit);
/* A watched thread performs this, before memory is accessed; or reads or writes memory that is not shared. */
void cycles_note(struct thread *thread, const struct event *event);
void cycles_note_read(struct thread *thread, uint64_t address, uint64_t size); /* the same */
void cycles_note_write(uint64_t address, uint64_t size);
void cycles_forget(void); /* something happened that no state shows */
/* This thread takes a step, and rt->enabled could have. */
void cycles_step(const struct thread *chosen);

#endif
