/* SPDX-License-Identifier: MIT
 *
 * Which bytes of stacks may not be touched: those of functions that have returned (frames.c), and those
 * after local arrays (guards.c).
 */
#ifndef HEDDLE_RUNTIME_FRAMES_H
#define HEDDLE_RUNTIME_FRAMES_H

#include "runtime.h"

extern EXPORTED_DATA unsigned char __heddle_has_threads, __heddle_has_dead;
void frames_begin_run(void);
/* A finding if the bytes, in a stack, are of a function that has returned; notes what is written. */
void frames_check(uint64_t address, uint64_t size, bool writes, site_id site);
/* The running thread leaves all functions whose frames lie below `until`, without return. */
void frames_leave(uint64_t until, site_id site);
/* What lies between two places of the stack is left: an exception goes on. */
void frames_leave_between(uint64_t from, uint64_t until, site_id site);
void frames_leave_all(site_id site); /* it ends */
/* Of a local variable, and nobody has written to any of the bytes since its life began. */
bool frames_is_fresh(uint64_t address, uint64_t size);

/* ---- guards ---- */
void guards_check(uint64_t address, uint64_t size, bool writes, site_id site); /* of an address in a stack */
void guards_forget(struct thread *thread);                                     /* functions are left without return */

#endif
