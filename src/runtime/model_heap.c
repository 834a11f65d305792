/* SPDX-License-Identifier: MIT
 *
 * The heap: one arena per thread at a fixed address, blocks handed out one after another and never reused within a run,
 * so that a block has the same address in every run in which its thread allocates the same. Memory is zero when it is
 * handed out. Blocks that libc's malloc gave before main go back to it; the snapshot covers them. memory.c has the
 * table of blocks.
 */
#include "budget.h"
#include "ends.h"
#include "executor.h"
#include "memory.h"
#include "models.h"
#include "sharing.h"
#include "snapshot.h"
#include "terms.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <sys/mman.h>

#define LARGE_BYTES (256u << 10)
#define LARGE_HEAP_BYTES (2ull << 20)

extern char _end[]; /* of the executable's variables: the linker's */

static void map_arena(struct thread *thread) {
  const long at = system_call(SYS_mmap, arena_address(thread->id), arena_bytes(thread->id), PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
  if (at < 0) executor_die("cannot map a thread's heap");
  thread->mapped_arena = true;
}

/* Once per arena: what lies beyond is taken in large pages, so that finding it costs less. */
static void expect_large_heap(const struct thread *thread) {
  const uint64_t start = arena_address(thread->id) + LARGE_HEAP_BYTES;
  const uint64_t size = arena_bytes(thread->id) - LARGE_HEAP_BYTES;
  if (rt->channel->isolation == ISOLATION_FORK) return;
  system_call(SYS_madvise, start, size, MADV_HUGEPAGE);
  sharing_expect_much(start, size);
}

/* Bytes that an earlier run may have left something in are cleared. */
static void clear(struct thread *thread, uint64_t from, uint64_t to) {
  const uint64_t base = arena_address(thread->id);
  if (to > thread->arena_high) {
    const uint64_t dirty_end = thread->arena_high;
    thread->arena_high = to;
    to = dirty_end;
  }
  if (from >= to) return;
  if (to - from < LARGE_BYTES) {
    memset((char *)base + from, 0, to - from);
    return;
  }
  const uint64_t first = (from + 4095) & ~4095ull, last = to & ~4095ull;
  memset((char *)base + from, 0, first - from);
  snapshot_make_writable((const char *)base + first, last - first); /* the kernel writes there, as it were */
  system_call(SYS_madvise, base + first, last - first, MADV_DONTNEED);
  memset((char *)base + last, 0, to - last);
}

/* Inside a function that is not instrumented the last call that was announced is that function's. */
static bool is_direct(site_id site) {
  return site && (uint64_t)site != (uint64_t)__heddle_opaque_site;
}

static void *allocate(uint64_t size, uint64_t align, bool defined) {
  struct thread *thread = self();
  const site_id site = (site_id)(uint64_t)__heddle_site;
  if (!thread->mapped_arena) map_arena(thread);
  const uint64_t used = thread->arena_used;
  thread->unrepeatable++; /* the block has another place in every round */
  const uint64_t left = arena_bytes(thread->id) - used - 2 * align - 64;
  const bool granted = budget_grants(size, left, site);
  struct heap_block *block = granted ? memory_add_block(thread, size, align, defined) : NULL;
  if (granted && !block) finish_run(OUTCOME_TOO_MUCH_MEMORY, site, 0);
  if (!block) {
    errno = ENOMEM;
    return NULL;
  }
  if (used < LARGE_HEAP_BYTES && thread->arena_used >= LARGE_HEAP_BYTES && thread->arena_high < LARGE_HEAP_BYTES)
    expect_large_heap(thread);
  clear(thread, used, thread->arena_used);
  block->site = site;
  block->direct = is_direct(site);
  return (void *)block->address;
}

/* The size is what it is in this run; the block is where it is. */
static void pin_arguments(const void *function) {
  uint32_t terms[3] = {0};
  if (!__heddle_call.callee) return;
  call_take_terms(function, terms, 3);
  for (int i = 0; i < 3; i++) decide_value(terms[i], PIN_SIZE, (site_id)(uint64_t)__heddle_site);
}

WRAPPED(void *, malloc, (size_t size), (size)) {
  pin_arguments((const void *)__wrap_malloc);
  return allocate(size, 16, false);
}

WRAPPED(void *, calloc, (size_t count, size_t size), (count, size)) {
  size_t bytes;
  pin_arguments((const void *)__wrap_calloc);
  if (__builtin_mul_overflow(count, size, &bytes)) {
    errno = ENOMEM;
    return NULL;
  }
  return allocate(bytes, 16, true);
}

void __real_free(void *block);

/* Freeing is an operation of its own where others use the block: they might come later. */
static void take_turn(struct heap_block *block, const char *deed, site_id site) {
  const uint64_t size = block->size_bytes;
  if (!sharing_touch_block(block->address, size)) return;
  const uint32_t size_bytes = size < UINT32_MAX ? (uint32_t)size : UINT32_MAX;
  spin_end(self());
  schedule_operation(
      (struct operation){.kind = EVENT_FREE, .address = block->address, .size = size_bytes, .site = site});
  trace_record(EVENT_FREE, block->address, size_bytes, site);
  memory_block_at(block->address, deed, site);
  if (rt->race.on) races_check(EVENT_FREE, block->address, size_bytes, site);
}

static void release(struct heap_block *block, site_id site) {
  objects_before_free(block->address, block->size_bytes, site);
  block->freed = (uint16_t)(self()->id + 1);
  block->freed_site = site;
  sharing_forget(block->address, block->size_bytes);
  budget_give_back(block->size_bytes);
}

/* Where libc's own malloc may have a block: neither the program's variables, nor stacks, nor the arenas. */
static bool may_be_foreign(const void *block) {
  const uint64_t address = (uint64_t)block;
  return address >= (uint64_t)_end && (address < STACKS_ADDRESS || address >= SHADOW_ADDRESS);
}

static void free_in_run(void *pointer) {
  const site_id site = (site_id)(uint64_t)__heddle_site;
  if (!pointer) return;
  if (may_be_foreign(pointer)) {
    __real_free(pointer);
    return;
  }
  struct heap_block *block = memory_block_at((uint64_t)pointer, "free", site);
  take_turn(block, "free", site);
  release(block, site);
}

/* A child that the program forked may still have blocks of the run. */
EXPORTED void __wrap_free(void *block) {
  if (controlled)
    free_in_run(block);
  else if (!memory_is_heap((uint64_t)block))
    __real_free(block);
}

WRAPPED(size_t, malloc_usable_size, (void *block), (block)) {
  if (!block) return 0;
  if (!memory_is_heap((uint64_t)block)) return __real_malloc_usable_size(block);
  return memory_block_at((uint64_t)block, "malloc_usable_size", (site_id)(uint64_t)__heddle_site)->size_bytes;
}

/* A block of the time before main. */
static void *move_foreign(void *old, size_t size) {
  const size_t old_size = __real_malloc_usable_size(old);
  void *moved = allocate(size, 16, true);
  if (!moved) return NULL;
  memcpy(moved, old, old_size < size ? old_size : size);
  __real_free(old);
  return moved;
}

/* As in glibc, a size of 0 frees. */
WRAPPED(void *, realloc, (void *old, size_t size), (old, size)) {
  const struct site *site = __heddle_site;
  pin_arguments((const void *)__wrap_realloc);
  if (!old) return allocate(size, 16, false);
  if (may_be_foreign(old)) return move_foreign(old, size);
  struct heap_block *block = memory_block_at((uint64_t)old, "realloc", (site_id)(uint64_t)site);
  take_turn(block, "realloc", (site_id)(uint64_t)site);
  __heddle_site = site;
  void *moved = size ? allocate(size, 16, block->defined) : NULL;
  if (size && !moved) return NULL;
  if (moved) memory_move(block, moved, size);
  release(block, (site_id)(uint64_t)site);
  return moved;
}

WRAPPED(void *, reallocarray, (void *block, size_t count, size_t size), (block, count, size)) {
  size_t bytes;
  pin_arguments((const void *)__wrap_reallocarray);
  if (!__builtin_mul_overflow(count, size, &bytes)) return model_realloc(block, bytes);
  errno = ENOMEM;
  return NULL;
}

static bool is_power_of_two(size_t n) {
  return n && !(n & (n - 1));
}

static void *allocate_aligned(size_t align, size_t size) {
  if (is_power_of_two(align)) return allocate(size, align < 16 ? 16 : align, false);
  errno = EINVAL;
  return NULL;
}

WRAPPED(void *, memalign, (size_t align, size_t size), (align, size)) {
  pin_arguments((const void *)__wrap_memalign);
  return allocate_aligned(align, size);
}

WRAPPED(void *, aligned_alloc, (size_t align, size_t size), (align, size)) {
  pin_arguments((const void *)__wrap_aligned_alloc);
  return allocate_aligned(align, size);
}

WRAPPED(void *, valloc, (size_t size), (size)) {
  pin_arguments((const void *)__wrap_valloc);
  return allocate_aligned(4096, size);
}

WRAPPED(int, posix_memalign, (void **block, size_t align, size_t size), (block, align, size)) {
  pin_arguments((const void *)__wrap_posix_memalign);
  if (!is_power_of_two(align) || align % sizeof(void *)) return EINVAL;
  void *memory = allocate_aligned(align, size);
  if (!memory) return ENOMEM;
  model_store(block, &memory, sizeof memory, call_site());
  return 0;
}
