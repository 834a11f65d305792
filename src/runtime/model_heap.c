/* SPDX-License-Identifier: MIT
 *
 * The heap: one arena per thread at a fixed address, blocks handed out one after another and never reused within a run,
 * so that a block has the same address in every run in which its thread allocates the same. Memory is zero when it is
 * handed out. Blocks that libc's malloc gave before main go back to it; the snapshot covers them.
 *
 *     [ struct header | block, 16-aligned ] [ header | block ] ...
 */
#include "models.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <sys/mman.h>

#define LIVE 0x6c697665u
#define FREED 0x66726565u
#define LARGE_BYTES (256u << 10)

struct header {
  uint64_t size_bytes;
  uint32_t state; /* LIVE or FREED; anything else: not a block */
  site_id site;
};

static void map_arena(struct thread *thread) {
  const long at = system_call(SYS_mmap, arena_address(thread->id), arena_bytes(thread->id), PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
  if (at < 0) executor_die("cannot map a thread's heap");
  thread->mapped_arena = true;
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
  system_call(SYS_madvise, base + first, last - first, MADV_DONTNEED);
  memset((char *)base + last, 0, to - last);
}

static void *allocate(uint64_t size, uint64_t align, site_id site) {
  struct thread *thread = self();
  if (!thread->mapped_arena) map_arena(thread);
  const uint64_t base = arena_address(thread->id);
  const uint64_t start = ((base + thread->arena_used + sizeof(struct header) + align - 1) & ~(align - 1)) - base;
  if (size > arena_bytes(thread->id) || start + size > arena_bytes(thread->id) - 64) {
    errno = ENOMEM;
    return NULL;
  }
  const uint64_t end = (start + size + 15) & ~15ull;
  clear(thread, thread->arena_used, end);
  struct header *header = (struct header *)(base + start) - 1;
  *header = (struct header){size, LIVE, site};
  thread->arena_used = end;
  thread->n_blocks++;
  return header + 1;
}

static bool is_in_arenas(const void *block) {
  const uint64_t address = (uint64_t)block;
  return address >= MAIN_ARENA_ADDRESS && address < ARENAS_ADDRESS + HEDDLE_MAX_THREADS * ARENA_BYTES;
}

static bool is_in_use(const void *block) {
  const uint64_t address = (uint64_t)block;
  const uint32_t id = address < ARENAS_ADDRESS ? 0 : (uint32_t)((address - ARENAS_ADDRESS) / ARENA_BYTES);
  const struct thread *thread = &rt->threads[id];
  return id <= rt->highest_thread && thread->state != ABSENT && address >= arena_address(id) + sizeof(struct header) &&
         address < arena_address(id) + thread->arena_used + 16;
}

/* The header of a block of this run, or a finding. */
static struct header *header_of(void *block, site_id site) {
  struct header *header = (struct header *)block - 1;
  if ((uint64_t)block % 16 || !is_in_use(block) || (header->state != LIVE && header->state != FREED))
    finish_run_with_message(OUTCOME_MEMORY_MISUSE, site, (uint64_t)block, "free of something that is not a heap block");
  if (header->state == FREED)
    finish_run_with_message(OUTCOME_MEMORY_MISUSE, site, (uint64_t)block, "free of a block that was freed before");
  return header;
}

WRAPPED(void *, malloc, (size_t size), (size)) {
  return allocate(size, 16, (site_id)(uint64_t)__heddle_site);
}

WRAPPED(void *, calloc, (size_t count, size_t size), (count, size)) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) {
    errno = ENOMEM;
    return NULL;
  }
  return allocate(bytes, 16, (site_id)(uint64_t)__heddle_site);
}

void __real_free(void *block);

static void free_in_run(void *block) {
  if (!block) return;
  if (!is_in_arenas(block)) {
    __real_free(block);
    return;
  }
  header_of(block, (site_id)(uint64_t)__heddle_site)->state = FREED;
}

/* A child that the program forked may still have blocks of the run. */
EXPORTED void __wrap_free(void *block) {
  if (controlled)
    free_in_run(block);
  else if (!is_in_arenas(block))
    __real_free(block);
}

WRAPPED(size_t, malloc_usable_size, (void *block), (block)) {
  if (!block) return 0;
  return is_in_arenas(block) ? header_of(block, 0)->size_bytes : __real_malloc_usable_size(block);
}

WRAPPED(void *, realloc, (void *block, size_t size), (block, size)) {
  const site_id site = (site_id)(uint64_t)__heddle_site;
  if (!block) return allocate(size, 16, site);
  const size_t old = model_malloc_usable_size(block);
  void *moved = allocate(size, 16, site);
  if (!moved) return NULL;
  memcpy(moved, block, old < size ? old : size);
  free_in_run(block);
  return moved;
}

WRAPPED(void *, reallocarray, (void *block, size_t count, size_t size), (block, count, size)) {
  size_t bytes;
  if (!__builtin_mul_overflow(count, size, &bytes)) return model_realloc(block, bytes);
  errno = ENOMEM;
  return NULL;
}

static bool is_power_of_two(size_t n) {
  return n && !(n & (n - 1));
}

static void *allocate_aligned(size_t align, size_t size) {
  if (is_power_of_two(align)) return allocate(size, align < 16 ? 16 : align, (site_id)(uint64_t)__heddle_site);
  errno = EINVAL;
  return NULL;
}

WRAPPED(void *, memalign, (size_t align, size_t size), (align, size)) {
  return allocate_aligned(align, size);
}

WRAPPED(void *, aligned_alloc, (size_t align, size_t size), (align, size)) {
  return allocate_aligned(align, size);
}

WRAPPED(void *, valloc, (size_t size), (size)) {
  return allocate_aligned(4096, size);
}

WRAPPED(int, posix_memalign, (void **block, size_t align, size_t size), (block, align, size)) {
  if (!is_power_of_two(align) || align % sizeof(void *)) return EINVAL;
  void *memory = allocate_aligned(align, size);
  if (!memory) return ENOMEM;
  *block = memory;
  return 0;
}

/* Walks an arena from header to header: a block starts where the one before ends, but for alignment. */
static uint32_t list_arena(const struct thread *thread, struct block *blocks, uint32_t room) {
  const uint64_t base = arena_address(thread->id);
  uint64_t at = 0;
  uint32_t count = 0;
  while (count < room && count < thread->n_blocks && at + sizeof(struct header) <= thread->arena_used) {
    const struct header *header = (const struct header *)(base + at);
    if (header->state != LIVE && header->state != FREED) {
      at += 16;
      continue;
    }
    blocks[count] = (struct block){.address = (uint64_t)(header + 1),
                                   .size_bytes = header->size_bytes,
                                   .index = count + 1,
                                   .site = header->site,
                                   .thread = thread->id,
                                   .freed = header->state == FREED};
    count++;
    at = (at + sizeof(struct header) + header->size_bytes + 15) & ~15ull;
  }
  return count;
}

uint32_t heap_list_blocks(struct block *blocks, uint32_t room) {
  uint32_t count = 0;
  for (uint32_t i = 0; i <= rt->highest_thread; i++)
    if (rt->threads[i].state != ABSENT) count += list_arena(&rt->threads[i], blocks + count, room - count);
  return count;
}
