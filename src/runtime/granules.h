/* SPDX-License-Identifier: MIT
 *
 * What the runtime remembers of the memory that threads touch, eight bytes at a time (sharing.c).
 */
#ifndef HEDDLE_RUNTIME_GRANULES_H
#define HEDDLE_RUNTIME_GRANULES_H

#include "abi/channel.h"

#include <stdbool.h>
#include <stdint.h>

#define MAX_SEGMENTS (1u << 20)
#define MAX_GRANULES (1u << 20)

/* A stretch of one thread between two of its thread creations: what happens-before by creation and joining can tell
 * apart. */
struct segment {
  thread_id thread;
  uint16_t index;
};

struct byte_history {
  uint32_t writer;     /* segment, 0 none */
  uint32_t readers[2]; /* since that write */
  bool more_readers;
};

/* Eight bytes that more than one segment has touched. Records stay from run to run. */
struct granule {
  uint64_t address;
  uint32_t run;
  uint8_t shared;       /* bit k: byte k is shared */
  uint8_t cuts;         /* bit k: some visible access begins or ends before byte k (symbolic_reads.c) */
  uint8_t guarded;      /* bit k: byte k must not be touched in run guard_run (guards.c) */
  uint8_t last_bytes;   /* that the last access touched */
  uint32_t last_writer; /* the segment of the last access, 0 when it only read */
  uint8_t alike;        /* nonzero: these bytes have the history bytes[0], and nobody has touched the others */
  uint8_t dead;  /* bit k: byte k belongs to a function that has returned, in run dead_run; another thread must not */
  uint8_t fresh; /* touch it. Bit k: byte k has not been written to since its variable's life began, in fresh_run */
  struct byte_history bytes[8];
  uint32_t since[8]; /* as in struct knowledge */
  uint32_t guard_run;
  uint32_t dead_run, dead_calls, fresh_run, fresh_writes; /* with the numbers of calls that are not seen (frames.c) */
};

/* The bytes of [address, address + size) in the granule at `place`, a bit each. */
static inline unsigned granule_bytes(uint64_t place, uint64_t address, uint64_t size) {
  const uint64_t from = address > place ? address - place : 0;
  const uint64_t to = address + size - place < 8 ? address + size - place : 8;
  return ((1u << to) - 1) & ~((1u << from) - 1);
}

#endif
