/* SPDX-License-Identifier: MIT
 *
 * Writing events into the channel.
 */
#ifndef HEDDLE_RUNTIME_TRACE_H
#define HEDDLE_RUNTIME_TRACE_H

#include "runtime.h"

/* Where sets of threads above 63 are, until the trace is published. */
#define WIDE_WORDS ((uint64_t *)(RUNTIME_ADDRESS + (3ull << 30)))
#define WIDE_WORDS_BYTES (512ull << 20)

struct event *trace_record(uint8_t kind, uint64_t object, uint32_t size, site_id site);
/* The same, inlined. */
struct event *trace_record_access(uint8_t kind, uint64_t object, uint32_t size, site_id site);
void trace_complete_value(struct thread *thread);
uint64_t trace_load(uint64_t address, uint32_t size); /* the low 64 bits of what is there */
/* The same of memory that the program may have given back since it touched it; false if it has. */
bool trace_peek(uint64_t address, uint32_t size, uint64_t *value);
void trace_begin(void);
/* Publishes the run; flags are enum trace_flags. */
void trace_publish(uint32_t flags);
void trace_wait_for_room(void);

#endif
