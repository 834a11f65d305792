/* SPDX-License-Identifier: MIT
 *
 * Threads that never reach a visible operation: whose state repeats (repetition.c), or which are set aside to see
 * what others do (trial.c); and where a thread is (stack.c).
 */
#ifndef HEDDLE_RUNTIME_REPETITION_H
#define HEDDLE_RUNTIME_REPETITION_H

#include "runtime.h"

void repetition_initialise(void);
/* From a signal that interrupted the running thread: its next instructions, at most so many, are looked at, and fewer
 * if it would take longer than this. */
void repetition_begin(void *context, uint32_t most, uint64_t nanoseconds);
void repetition_step(void *context); /* a trap after one of them */
/* A trap in place of the return from the runtime. */
bool repetition_is_return(uint64_t instruction);
void repetition_return(void *context);

/* ---- trial ---- */
bool trial_is_worth_it(void);
void trial_begin(void); /* the running thread is set aside */
void trial_found_sharing(void);
bool trial_is_in_vain(void);
bool trial_was_in_vain(void);

/* ---- stack ---- */
/* Fills in rt->stack: where the running thread is. */
void stack_note(uint64_t instruction, uint64_t frame, uint64_t stack_pointer);

#endif
