/* SPDX-License-Identifier: MIT
 *
 * Which heap addresses may be touched. The fast path of the hooks lets an access through when its thread has touched
 * the same bytes before (abi/layout.h), so the first touch of every byte by every thread comes here; free makes its
 * block unknown to the fast path again (sharing_forget), and what lies between blocks is never known to it. What is
 * checked here is therefore checked for every access of instrumented code.
 *
 * A bit per byte after each block says which bytes were ever written by code that is seen.
 */
#include "memory.h"
#include "ends.h"
#include "frames.h"
#include "process.h"
#include "terms.h"
#include "warnings.h"

#define GAP_BYTES 16 /* before the first block */
#define MOST_FURTHER_GAP_BYTES 1024
#define LEAST_ARENA_BYTES_LEFT 64

/* ---- the table of blocks ---- */

static struct heap_block *block_number(const struct thread *thread, uint32_t number) {
  const uint64_t end = arena_address(thread->id) + arena_bytes(thread->id);
  return (struct heap_block *)end - 1 - number;
}

static uint64_t round_up(uint64_t n, uint64_t align) {
  return (n + align - 1) & ~(align - 1);
}

static uint64_t bits_bytes(uint64_t size_bytes) {
  return round_up(size_bytes / 8 + 1, 16);
}

/* After a block lie its bits, or as much as they would take: the gap before the next one. */
static uint64_t bytes_behind(uint64_t size_bytes, bool defined) {
  const uint64_t bits = bits_bytes(size_bytes);
  return defined && bits > MOST_FURTHER_GAP_BYTES ? MOST_FURTHER_GAP_BYTES : bits;
}

struct heap_block *memory_add_block(struct thread *thread, uint64_t size_bytes, uint64_t align, bool defined) {
  const uint64_t base = arena_address(thread->id);
  const uint64_t table_bytes = (thread->n_blocks + 1ull) * sizeof(struct heap_block) + LEAST_ARENA_BYTES_LEFT;
  const uint64_t most = arena_bytes(thread->id);
  if (size_bytes > most || align > most || thread->n_blocks == UINT32_MAX) return NULL;
  const uint64_t address = round_up(base + (thread->arena_used ? thread->arena_used : GAP_BYTES), align);
  const uint64_t end = round_up(address + size_bytes, 16) + bytes_behind(size_bytes, defined);
  if (end - base + table_bytes > most) return NULL;
  struct heap_block *block = block_number(thread, thread->n_blocks++);
  *block = (struct heap_block){
      .address = address, .size_bytes = size_bytes, .unseen_writes = __heddle_unseen_writes, .defined = defined};
  thread->arena_used = end - base;
  return block;
}

/* NULL when no thread of this run has its heap there. */
static const struct thread *heap_owner(uint64_t address) {
  const uint32_t id = arena_owner(address);
  const struct thread *thread = &rt->threads[id];
  return id <= rt->highest_thread && thread->state != ABSENT && thread->mapped_arena ? thread : NULL;
}

struct heap_block *memory_block_before(uint64_t address) {
  const struct thread *thread = heap_owner(address);
  if (!thread) return NULL;
  uint32_t low = 0, high = thread->n_blocks; /* all below low start at or before the address, none from high on */
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (block_number(thread, middle)->address <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return low ? block_number(thread, low - 1) : NULL;
}

/* ---- which bytes were written ---- */

static unsigned char *bits_of(const struct heap_block *block) {
  return (unsigned char *)round_up(block->address + block->size_bytes, 16);
}

static void note_written(const struct heap_block *block, uint64_t offset, uint64_t size_bytes) {
  unsigned char *bits = bits_of(block);
  for (; size_bytes && offset % 8; offset++, size_bytes--) bits[offset / 8] |= (unsigned char)(1u << offset % 8);
  memset(bits + offset / 8, 0xff, size_bytes / 8);
  offset += size_bytes & ~7ull;
  for (size_bytes %= 8; size_bytes; offset++, size_bytes--) bits[offset / 8] |= (unsigned char)(1u << offset % 8);
}

/* Code that is not seen may have written to any block that is older than its call. */
static bool is_known(const struct heap_block *block) {
  return !block->defined && block->unseen_writes == __heddle_unseen_writes;
}

static bool none_is_written(const struct heap_block *block, uint64_t offset, uint64_t size_bytes) {
  const unsigned char *bits = bits_of(block);
  for (uint64_t i = offset; i < offset + size_bytes; i++)
    if (bits[i / 8] >> i % 8 & 1) return false;
  return true;
}

bool memory_is_undefined(uint64_t address, uint64_t size_bytes) {
  if (!memory_is_heap(address)) return false;
  const struct heap_block *block = memory_block_before(address);
  return block && address + size_bytes <= block->address + block->size_bytes && is_known(block) &&
         none_is_written(block, address - block->address, size_bytes);
}

/* With the bits, so that a byte that was never written is so in the copy as well. */
void memory_move(const struct heap_block *from, void *to, uint64_t size_bytes) {
  const struct heap_block *block = memory_block_before((uint64_t)to);
  const uint64_t kept = from->size_bytes < size_bytes ? from->size_bytes : size_bytes;
  memcpy(to, (const void *)from->address, kept);
  term_memory_copy((uint64_t)to, from->address, kept);
  if (!block->defined) memcpy(bits_of(block), bits_of(from), kept / 8 + 1);
}

void memory_warn_of_undefined(uint64_t address, uint64_t size_bytes, site_id site) {
  const struct warning warning = {.kind = WARNING_UNINITIALISED_READ,
                                  .site = site,
                                  .other_site = memory_block_before(address)->site,
                                  .thread = self()->id,
                                  .other_thread = NO_THREAD,
                                  .event = EVENT_READ,
                                  .size = (uint32_t)size_bytes,
                                  .address = address};
  warnings_add(&warning);
}

/* ---- the check ---- */

static char *append(char *text, const char *words) {
  while (*words) *text++ = *words++;
  *text = 0;
  return text;
}

static char *append_number(char *text, uint64_t number) {
  if (number >= 10) text = append_number(text, number / 10);
  *text++ = (char)('0' + number % 10);
  *text = 0;
  return text;
}

/* Where the bytes lie is said by the report, which knows the blocks. */
static _Noreturn void report(const struct heap_block *block, uint64_t address, uint64_t size_bytes, bool writes,
                             site_id site) {
  char message[128];
  char *end = append(message, writes ? "write of " : "read of ");
  end = append_number(end, size_bytes);
  end = append(end, size_bytes == 1 ? " byte" : " bytes");
  const bool inside = block && address - block->address < block->size_bytes;
  append(end, inside && block->freed ? " that have been freed" : " outside the heap block");
  finish_run_with_message(OUTCOME_MEMORY_MISUSE, site, address, message);
}

static bool is_vector(uint64_t size_bytes) {
  return size_bytes == 16 || size_bytes == 32 || size_bytes == 64;
}

/* Vector code reads whole aligned vectors of which some bytes are the block's, and drops the others: that cannot fault,
 * and is meant. */
static bool is_aligned_overread(uint64_t address, uint64_t size_bytes) {
  if (!is_vector(size_bytes) || address % size_bytes) return false;
  const struct heap_block *block = memory_block_before(address + size_bytes - 1);
  return block && !block->freed && address < block->address + block->size_bytes;
}

bool memory_is_freed(uint64_t address) {
  if (!memory_is_heap(address) || !heap_owner(address)) return false;
  const struct heap_block *block = memory_block_before(address);
  return block && block->freed && address - block->address < block->size_bytes;
}

void memory_check_ours(uint64_t address, uint64_t size_bytes, bool writes, site_id site) {
  if (address >= STACKS_ADDRESS && address < STACKS_END) {
    frames_check(address, size_bytes, writes, site);
    guards_check(address, size_bytes, writes, site);
    return;
  }
  if (!memory_is_heap(address) || !heap_owner(address)) return; /* not ours, or it will crash */
  const struct heap_block *block = memory_block_before(address);
  const uint64_t offset = block ? address - block->address : 0;
  const bool fits = block && offset <= block->size_bytes && size_bytes <= block->size_bytes - offset;
  if (!fits && !writes && is_aligned_overread(address, size_bytes)) return;
  if (!fits || block->freed) report(block, address, size_bytes, writes, site);
  if (writes && !block->defined) note_written(block, offset, size_bytes);
}

/* ---- variables ---- */

EXPORTED void __heddle_slow_bounds(const void *address, const void *variable, uint64_t last, const struct site *site);
void __heddle_slow_bounds(const void *address, const void *variable, uint64_t last, const struct site *site) {
  if (!controlled) return;
  const bool before = address < variable;
  const uint64_t offset = (uint64_t)address - (uint64_t)variable;
  char message[128];
  char *end = append(message, before ? "access " : "access up to ");
  end = append_number(end, before ? -offset : offset - last);
  append(end, before ? " bytes before the start of a variable" : " bytes past the end of a variable");
  finish_run_with_message(OUTCOME_MEMORY_MISUSE, (site_id)(uint64_t)site, (uint64_t)variable, message);
}

struct heap_block *memory_block_at(uint64_t address, const char *deed, site_id site) {
  struct heap_block *block = memory_is_heap(address) ? memory_block_before(address) : NULL;
  const bool starts_here = block && block->address == address;
  if (starts_here && !block->freed) return block;
  char message[128];
  append(append(message, deed),
         starts_here ? " of a block that was freed before" : " of something that is not a heap block");
  finish_run_with_message(OUTCOME_MEMORY_MISUSE, site, address, message);
}

/* ---- for reports ---- */

static struct block describe_block(const struct thread *thread, uint32_t number) {
  const struct heap_block *block = block_number(thread, number);
  return (struct block){.address = block->address,
                        .size_bytes = block->size_bytes,
                        .index = number + 1,
                        .site = block->site,
                        .thread = thread->id,
                        .freed = block->freed,
                        .freed_site = block->freed_site};
}

/* The block that the outcome speaks of, and the one after it, in case there is no room for all. */
static uint32_t list_blocks_of_outcome(struct block *blocks) {
  const uint64_t address = rt->outcome_address;
  const struct heap_block *block = memory_is_heap(address) ? memory_block_before(address) : NULL;
  if (!block) return 0;
  const struct thread *thread = heap_owner(address);
  const uint32_t number = (uint32_t)(block_number(thread, 0) - block);
  blocks[0] = describe_block(thread, number);
  if (number + 1 == thread->n_blocks) return 1;
  blocks[1] = describe_block(thread, number + 1);
  return 2;
}

uint32_t heap_list_blocks(struct block *blocks, uint32_t room) {
  uint32_t count = list_blocks_of_outcome(blocks);
  for (uint32_t i = 0; i <= rt->highest_thread; i++) {
    const struct thread *thread = &rt->threads[i];
    if (thread->state == ABSENT) continue;
    for (uint32_t number = 0; number < thread->n_blocks && count < room; number++)
      blocks[count++] = describe_block(thread, number);
  }
  return count;
}

static void warn_of_leaks_of(const struct thread *thread) {
  for (uint32_t number = 0; number < thread->n_blocks; number++) {
    const struct heap_block *block = block_number(thread, number);
    if (block->freed || !block->direct) continue;
    const struct warning warning = {.kind = WARNING_LEAK,
                                    .site = block->site,
                                    .thread = thread->id,
                                    .other_thread = NO_THREAD,
                                    .size = (uint32_t)block->size_bytes,
                                    .address = block->address};
    warnings_add(&warning);
  }
}

void memory_warn_of_leaks(void) {
  for (uint32_t i = 0; i <= rt->highest_thread; i++)
    if (rt->threads[i].state != ABSENT) warn_of_leaks_of(&rt->threads[i]);
}
