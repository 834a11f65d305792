/* SPDX-License-Identifier: MIT
 *
 * Heap blocks and who may touch them (memory.c). A thread's blocks stand in a table at the end of its arena, ascending
 * in address, the first one last:
 *
 *     [ gap | block | written bits | gap | block | ...  free  ... | struct heap_block 1 | struct heap_block 0 ]
 *
 * The gaps and the bits are not part of any block, so that an access that runs over an end is seen.
 */
#ifndef HEDDLE_RUNTIME_MEMORY_H
#define HEDDLE_RUNTIME_MEMORY_H

#include "runtime.h"

struct heap_block {
  uint64_t address, size_bytes;
  uint64_t unseen_writes; /* so far when it was allocated */
  site_id site, freed_site;
  uint16_t freed; /* 0: live; otherwise 1 + the thread that freed it */
  bool defined;   /* all its bytes have a value from the start: calloc */
  bool direct;    /* the program itself called malloc or the like, not a library on its behalf */
};

static inline bool memory_is_heap(uint64_t address) {
  return address >= MAIN_ARENA_ADDRESS && address < ARENAS_END;
}

/* NULL when the thread's heap is full. */
struct heap_block *memory_add_block(struct thread *thread, uint64_t size_bytes, uint64_t align, bool defined);
/* The last block that starts at or before the address, NULL if there is none. */
struct heap_block *memory_block_before(uint64_t address);
/* The live block that starts at the address; anything else is a finding, of `deed` ("free", "realloc"). */
struct heap_block *memory_block_at(uint64_t address, const char *deed, site_id site);
/* A finding unless all bytes lie in one live block, or none in the heap. Notes what is written. */
bool memory_is_freed(uint64_t address); /* it was in a block of the heap that was freed, and is in none since */
void memory_check_ours(uint64_t address, uint64_t size_bytes, bool writes, site_id site);
static inline void memory_check(uint64_t address, uint64_t size_bytes, bool writes, site_id site) {
  if (address >= STACKS_ADDRESS && address < ARENAS_END) memory_check_ours(address, size_bytes, writes, site);
}
/* Bytes of a heap block that nobody has ever written to: no code that is seen, and no other ran since it was allocated.
 */
bool memory_is_undefined(uint64_t address, uint64_t size_bytes);
void memory_warn_of_undefined(uint64_t address, uint64_t size_bytes, site_id site);
/* Copies what fits to a new block, and which bytes of it were written. */
void memory_move(const struct heap_block *from, void *to, uint64_t size_bytes);
void memory_warn_of_leaks(void);

#endif
