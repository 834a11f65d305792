/* SPDX-License-Identifier: MIT
 *
 * What a run did that nobody sees: each is a warning, and the result of the exploration is incomplete.
 */
#ifndef HEDDLE_RUNTIME_UNFOLLOWED_H
#define HEDDLE_RUNTIME_UNFOLLOWED_H

#include "runtime.h"

/* A function of the C library keeps a pointer that it was given. */
void unfollowed_keeps(const char *function, uint64_t address, site_id site);
/* Not all that a function of the C library does could be made out. */
void unfollowed_part(const char *function, site_id site);
/* The runtime will call this function of the program on behalf of a call there. */
void unfollowed_look_at(const void *function, site_id site);
/* A raw system call that heddle does not know. */
void unfollowed_system_call(long number, site_id site);
/* An ioctl that heddle does not know. */
void unfollowed_request(unsigned long request, site_id site);
/* A call would wait for something that heddle does not model: ends the run. `events` are those of poll. */
void unfollowed_wait(int descriptor, short events, const char *call);
/* A process that the program started did what nobody explores. */
void unfollowed_child(const char *what, site_id site);

/* ---- opaque.c ---- */
/* To the end of the variable or heap block, or some bytes where neither is known. */
uint64_t opaque_bytes_behind(uint64_t address, uint64_t variable, uint64_t size);

#endif
