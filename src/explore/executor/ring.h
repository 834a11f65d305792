/* SPDX-License-Identifier: MIT
 *
 * The engine's ends of the two rings of abi/channel.h. The other end's position is read from shared memory and may hold
 * anything; a position that makes no sense is reported, never followed.
 */
#ifndef HEDDLE_EXPLORE_EXECUTOR_RING_H
#define HEDDLE_EXPLORE_EXECUTOR_RING_H

#include "abi/channel.h"

#include <stdbool.h>
#include <stddef.h>

/* One end of a ring: the engine keeps its own position here, so that the shared one cannot mislead it. */
struct ring_end {
  struct ring *ring;
  char *bytes;
  uint64_t size_bytes, position;
};

enum ring_answer { RING_READY, RING_EMPTY, RING_DAMAGED };

/* Writes a record of `size_bytes` bytes; false when there is no room now. */
bool ring_write(struct ring_end *end, const void *record, uint32_t size_bytes);
/* Wakes the other end if it waits for a record. */
void ring_wake_reader(struct ring_end *end);
/* The next record's size and place, without taking it. */
enum ring_answer ring_peek(struct ring_end *end, const void **record, uint32_t *size_bytes);
void ring_take(struct ring_end *end, uint32_t size_bytes);
/* Sleeps for some microseconds without asking to be woken: for a writer that has enough to do, so that it is not
 * interrupted for every single record. Returns at once when there is something to read. */
void ring_doze(struct ring_end *end);
/* Spins for some microseconds, then sleeps until something is written, a signal comes, or the time is over. */
void ring_wait(struct ring_end *end, long milliseconds);

#endif
