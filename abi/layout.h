/* SPDX-License-Identifier: MIT
 *
 * Where things lie in the address space of an executor. Address-space randomisation is off and every region has a fixed
 * place, so that the same object has the same address in every run and in every executor:
 *
 *     [0, 4 GiB)          the executable and its brk heap
 *     FILES               a word for every file, name and descriptor: what operations on files are accesses of
 *     CONTENTS            what is in files, by file: what reads and writes of them, and mappings, are accesses of
 *     STACKS              one slot per thread, by thread id: a guard page below each stack
 *     RUNTIME, CHANNEL    the runtime's own state, and the memory shared with the engine
 *     HELD                what a thread has read of a copy that it has not written yet, by thread id
 *     MAIN_ARENA, ARENAS  heap blocks, one arena per thread, by thread id
 *     SHADOW              one 64-bit word for every 8 bytes of the above
 *     TERM_*              what values in the above were made of: the log of terms, and an entry for every byte
 *     top of user space   mmap, shared libraries, the first kernel stack
 *
 * The shadow of an address depends on its low SHADOW_SPAN_BITS only; the regions are placed so that no two of them meet
 * there.
 */
#ifndef HEDDLE_ABI_LAYOUT_H
#define HEDDLE_ABI_LAYOUT_H

#include <stdint.h>

#define HEDDLE_MAX_THREADS 8192u /* main included, counted over all runs; docs/programs.md says it too */

#define FILES_ADDRESS 0x004000000000ull /* 256 GiB */
#define FILES_BYTES (8ull << 20)
#define MAX_FILES 512u
/* The words there (src/runtime/files.h): of ranges of descriptors, then of files, offsets and names in directories. */
#define FILE_WORDS (FILES_ADDRESS + (4ull << 10))
#define FILE_MARKS (FILES_ADDRESS + (8ull << 10))
#define OFFSET_WORDS (FILES_ADDRESS + (64ull << 10))
#define NAME_WORDS (FILES_ADDRESS + (1ull << 20))
#define DIRECTORY_BYTES (8ull << 10)
/* Of sockets (src/runtime/sockets.h), by descriptor; of addresses, and of whether a run has bound or reached them. */
#define SOCKET_WORDS (FILES_ADDRESS + (704ull << 10))
#define ADDRESS_WORDS (FILES_ADDRESS + (720ull << 10))
#define BOUND_WORDS (FILES_ADDRESS + (768ull << 10))
#define REACHED_WORDS (FILES_ADDRESS + (832ull << 10))
#define N_ADDRESS_WORDS 4096u
#define CONTENTS_ADDRESS 0x008000000000ull /* 512 GiB */
#define CONTENT_BYTES (1ull << 30)
#define STACKS_ADDRESS 0x010000000000ull /* 1 TiB */
#define STACK_SLOT_BYTES (64ull << 20)
#define RUNTIME_ADDRESS 0x018000000000ull
#define CHANNEL_ADDRESS 0x019000000000ull
#define HELD_ADDRESS 0x01a000000000ull
#define HELD_BYTES (16ull << 20)
#define MAIN_ARENA_ADDRESS 0x020000000000ull /* 2 TiB */
#define MAIN_ARENA_BYTES (1ull << 40)
#define ARENAS_ADDRESS 0x040000000000ull /* 4 TiB, + thread id * ARENA_BYTES */
#define ARENA_BYTES (1ull << 30)
#define LARGE_ARENAS 2048u /* further threads, of programs with very many, have smaller ones */
#define SMALL_ARENAS_ADDRESS (ARENAS_ADDRESS + LARGE_ARENAS * ARENA_BYTES)
#define SMALL_ARENA_BYTES (256ull << 20)
#define ARENAS_END (SMALL_ARENAS_ADDRESS + (HEDDLE_MAX_THREADS - LARGE_ARENAS) * SMALL_ARENA_BYTES)
#define STACKS_END (STACKS_ADDRESS + HEDDLE_MAX_THREADS * STACK_SLOT_BYTES)

#define SHADOW_ADDRESS 0x100000000000ull /* 16 TiB */
#define SHADOW_SPAN_BITS 43
#define SHADOW_BYTES (1ull << SHADOW_SPAN_BITS)

#define TERM_LOG_ADDRESS 0x01d000000000ull       /* in front of MAIN_ARENA */
#define TERM_TABLES_ADDRESS 0x01e000000000ull    /* of the runtime, beside the log */
#define STANDARD_INPUT_ADDRESS 0x01f000000000ull /* what the program reads as its standard input */
#define TERM_ENTRIES_ADDRESS 0x200000000000ull   /* 32 TiB: four bytes for every byte of the shadow's span */
#define TERM_HIDDEN_ADDRESS 0x400000000000ull    /* 64 TiB: two bytes for every eight */
#define TERM_PAGES_ADDRESS 0x420000000000ull     /* a byte for every 1024 */
#define TERM_END_ADDRESS 0x440000000000ull

/* The shadow word of 8 bytes of memory that only one segment of one thread has touched in this run:
 *
 *     bits 0-7    bytes it has touched
 *     bits 8-15   bytes it has written
 *     bits 16-36  the segment (a stretch of a thread between two thread creations)
 *     bits 37-62  the run
 *     bit 63      set: not as above; the low bits are an index into the runtime's granule records
 */
#define SHADOW_WRITTEN_SHIFT 8
#define SHADOW_SEGMENT_SHIFT 16
#define SHADOW_RUN_SHIFT 37
#define SHADOW_RECORD (1ull << 63)
#define SHADOW_MAX_SEGMENT 0x1fffffu
#define SHADOW_MAX_RUN 0x3ffffffu

static inline uint64_t *shadow_of(uint64_t address) {
  const uint64_t offset = address & ((1ull << SHADOW_SPAN_BITS) - 1);
  return (uint64_t *)(SHADOW_ADDRESS + (offset & ~7ull));
}

/* Whether the shadow word says that exactly the owner's segment has touched (shift 0) or written (SHADOW_WRITTEN_SHIFT)
 * the bytes. `owner` has all byte bits set. The bytes do not cross a multiple of 8. */
static inline int shadow_owned(uint64_t word, uint64_t owner, uint64_t address, uint64_t bytes, unsigned shift) {
  const uint64_t needed = ~0xffffull | ((1ull << bytes) - 1) << (address & 7) << shift;
  return ((word ^ owner) & needed) == 0;
}

static inline uint64_t arena_address(uint32_t thread) {
  if (thread == 0) return MAIN_ARENA_ADDRESS;
  if (thread < LARGE_ARENAS) return ARENAS_ADDRESS + thread * ARENA_BYTES;
  return SMALL_ARENAS_ADDRESS + (thread - LARGE_ARENAS) * SMALL_ARENA_BYTES;
}

static inline uint64_t arena_bytes(uint32_t thread) {
  if (thread == 0) return MAIN_ARENA_BYTES;
  return thread < LARGE_ARENAS ? ARENA_BYTES : SMALL_ARENA_BYTES;
}

/* Of an address between MAIN_ARENA_ADDRESS and ARENAS_END. */
static inline uint32_t arena_owner(uint64_t address) {
  if (address < ARENAS_ADDRESS) return 0;
  if (address < SMALL_ARENAS_ADDRESS) return (uint32_t)((address - ARENAS_ADDRESS) / ARENA_BYTES);
  return LARGE_ARENAS + (uint32_t)((address - SMALL_ARENAS_ADDRESS) / SMALL_ARENA_BYTES);
}

_Static_assert(NAME_WORDS + MAX_FILES * DIRECTORY_BYTES <= FILES_ADDRESS + FILES_BYTES, "the names fit");
_Static_assert(CONTENTS_ADDRESS + MAX_FILES * CONTENT_BYTES <= STACKS_ADDRESS, "the contents fit before the stacks");
_Static_assert(STACKS_END <= RUNTIME_ADDRESS, "the stacks fit before the runtime");
_Static_assert(HELD_ADDRESS + HEDDLE_MAX_THREADS * HELD_BYTES <= TERM_LOG_ADDRESS,
               "what is held fits before the terms");
_Static_assert(ARENAS_END <= SHADOW_BYTES, "the arenas fit into the span of the shadow");

#endif
