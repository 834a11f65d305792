/* SPDX-License-Identifier: MIT
 *
 * Layers of saved pages. snapshot.c puts the program's memory back to the start of main; a layer puts all memory back
 * to some later moment of a run: that of the program, and the runtime's own. To push a layer protects all of it. The
 * first write to a page faults, as in snapshot.c: the page is copied away and made writable. So:
 *
 *     - the writable pages are those that the uppermost layer has saved, and those mapped after it;
 *     - to restore the uppermost layer is to copy its pages back. They stay writable, so that the next run from there
 *       has no faults where this one had;
 *     - a layer that is given up leaves its pages to the one below, unless that has an older copy of its own.
 *
 * What is not followed, and why:
 *     stacks        the kernel writes to buffers there that nobody announces; checkpoint.c copies the part in use
 *     the channel   it is the engine's as well: what runs learn, and the traces
 *     coverage      as in snapshot.c
 *     what snapshot.c, layers.c, checkpoint.c and repetition.c keep, and the stack that signals are handled on
 *
 * Too many pages are not worth it: then all layers are forgotten, which may be done at any time.
 */
#include "layers.h"
#include "checkpoint.h"
#include "constructs.h"
#include "executor.h"
#include "pipes.h"
#include "queues.h"
#include "snapshot.h"
#include "terms.h"
#include "trace.h"

#include <fcntl.h>
#include <sys/mman.h>

#define PAGE 4096ull
#define MOST_PAGES 16384u
#define BUCKETS (1u << 15)
#define MAPS_BYTES (4u << 20)
#define MAX_FOLLOWED 16u

struct saved_page {
  uint64_t page;
  uint32_t copy;  /* its place among the copies */
  uint32_t older; /* 1 + the place of an older one of the same page; 0 none */
  uint32_t next;  /* 1 + the place of another one in the same bucket; 0 none */
};

struct followed {
  uint64_t start, end;
};

struct layers {
  volatile bool is_busy; /* a signal that comes now must not write to what is followed */
  uint32_t count;
  uint32_t starts[MAX_LAYERS]; /* a layer's first page in saved[]; its last is in front of the next layer's first */
  uint32_t n_saved, n_copies, n_free;
  uint32_t n_sealed; /* so many copies were made read-only, so that a wild write does not spoil later runs unseen */
  bool is_open;      /* some of them are writable again */
  uint32_t n_followed;
  struct followed followed[MAX_FOLLOWED]; /* beside the regions of snapshot.c and the arenas */
  uint32_t buckets[BUCKETS];
  uint32_t free[MOST_PAGES];
  struct saved_page saved[MOST_PAGES];
  char maps[MAPS_BYTES];
};

/* Outside what is followed. */
#define the_layers ((struct layers *)(RUNTIME_ADDRESS + (56ull << 30)))
#define COPIES (RUNTIME_ADDRESS + (57ull << 30))

static char *copy_at(uint32_t place) {
  return (char *)COPIES + place * PAGE;
}

static uint32_t *bucket_of(uint64_t page) {
  return &the_layers->buckets[(page / PAGE * 0x9e3779b97f4a7c15ull >> 40) % BUCKETS];
}

bool layers_are_busy(void) {
  return the_layers->is_busy;
}

uint32_t layers_count(void) {
  return the_layers->count;
}

static uint32_t end_of(uint32_t number) {
  return number + 1 < the_layers->count ? the_layers->starts[number + 1] : the_layers->n_saved;
}

uint32_t layers_pages(uint32_t number) {
  return end_of(number) - the_layers->starts[number];
}

/* ---- what is followed ---- */

static void follow(const void *start, uint64_t size_bytes) {
  const uint64_t at = (uint64_t)start;
  the_layers->followed[the_layers->n_followed++] = (struct followed){at, (at + size_bytes + PAGE - 1) & ~(PAGE - 1)};
}

static void map_at(uint64_t address, uint64_t size_bytes) {
  const long at = system_call(SYS_mmap, address, (size_bytes + PAGE - 1) & ~(PAGE - 1), PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
  if (at < 0) executor_die("cannot map the runtime's memory");
}

void layers_initialise(void) {
  map_at((uint64_t)the_layers, sizeof(struct layers));
  map_at(COPIES, MOST_PAGES * PAGE);
  follow(rt, sizeof(struct runtime));
  follow(WIDE_WORDS, WIDE_WORDS_BYTES);
  follow(the_messages, sizeof *the_messages);
  follow(the_pipes, sizeof *the_pipes);
  follow(the_queues, sizeof *the_queues);
  follow((void *)SHADOW_ADDRESS, SHADOW_BYTES);
  follow((void *)HELD_ADDRESS, HEDDLE_MAX_THREADS * HELD_BYTES);
  if (!rt->max_terms) return;
  follow(the_log, sizeof *the_log);
  follow(the_tables, sizeof *the_tables);
  follow((void *)TERM_ENTRIES_ADDRESS, term_memory_end() - TERM_ENTRIES_ADDRESS);
}

static bool is_in_arena(uint64_t address) {
  return address >= MAIN_ARENA_ADDRESS && address < ARENAS_END;
}

bool layers_is_followed(uint64_t address) {
  if (!the_layers->count) return false;
  if (is_in_arena(address)) return true;
  for (uint32_t i = 0; i < the_layers->n_followed; i++)
    if (address >= the_layers->followed[i].start && address < the_layers->followed[i].end) return true;
  return false;
}

static void set_protection(int protection) {
  for (uint32_t i = 0; i < the_layers->n_followed; i++) {
    const struct followed *followed = &the_layers->followed[i];
    system_call(SYS_mprotect, followed->start, followed->end - followed->start, protection);
  }
  const uint32_t known = atomic_load_explicit(&rt->knowledge->n_threads, memory_order_relaxed);
  for (uint32_t i = 0; i < known; i++)
    if (rt->threads[i].mapped_arena) system_call(SYS_mprotect, arena_address(i), arena_bytes(i), protection);
}

/* A line of /proc/self/maps: memory that can be written and that nobody puts back. */
static bool is_unknown(const char *line, const char *end) {
  const char *at = line;
  const uint64_t start = parse_hexadecimal(&at);
  at++;
  const uint64_t stop = parse_hexadecimal(&at);
  if (at[2] != 'w' || at[4] != 'p') return false;
  const char stack[] = "[stack]";
  const uint64_t length = sizeof stack - 1;
  if ((uint64_t)(end - line) > length && memcmp(end - length, stack, length) == 0) return false;
  return !snapshot_is_ours(start) && !snapshot_covers(start, stop);
}

/* What libc has taken from the kernel since the start of main, for itself. */
static bool has_unknown_memory(void) {
  char *text = the_layers->maps;
  const int file = (int)system_call(SYS_open, "/proc/self/maps", O_RDONLY);
  if (file < 0) return true;
  uint64_t length = 0;
  long count;
  while ((count = system_call(SYS_read, file, text + length, MAPS_BYTES - 1 - length)) > 0) length += (uint64_t)count;
  system_call(SYS_close, file);
  if (count < 0 || length == MAPS_BYTES - 1) return true;
  for (const char *line = text; line < text + length;) {
    const char *end = line;
    while (*end != '\n') end++;
    if (is_unknown(line, end)) return true;
    line = end + 1;
  }
  return false;
}

/* ---- layers ---- */

static void seal_copies(void) {
  if (the_layers->n_sealed >= the_layers->n_copies && !the_layers->is_open) return;
  if (the_layers->n_sealed < the_layers->n_copies) the_layers->n_sealed = the_layers->n_copies;
  system_call(SYS_mprotect, COPIES, the_layers->n_sealed * PAGE, PROT_READ);
  the_layers->is_open = false;
}

bool layers_push(void) {
  if (the_layers->count == MAX_LAYERS) return false;
  the_layers->is_busy = true;
  seal_copies();
  the_layers->starts[the_layers->count++] = the_layers->n_saved;
  set_protection(PROT_READ);
  snapshot_protect();
  const bool is_unknown = has_unknown_memory();
  the_layers->is_busy = false;
  if (is_unknown) layers_forget();
  return !is_unknown;
}

/* Also while a page is about to be saved. */
void layers_forget(void) {
  const bool was_busy = the_layers->is_busy;
  if (!the_layers->count) return;
  the_layers->is_busy = true;
  set_protection(PROT_READ | PROT_WRITE);
  snapshot_unprotect();
  for (uint32_t i = 0; i < the_layers->n_saved; i++) *bucket_of(the_layers->saved[i].page) = 0;
  the_layers->count = the_layers->n_saved = the_layers->n_copies = the_layers->n_free = 0;
  the_layers->is_busy = was_busy;
}

static uint32_t find_saved(uint64_t page) {
  uint32_t place = *bucket_of(page);
  while (place && the_layers->saved[place - 1].page != page) place = the_layers->saved[place - 1].next;
  return place;
}

static void add_saved(uint64_t page, uint32_t copy) {
  uint32_t *bucket = bucket_of(page);
  const uint32_t older = find_saved(page);
  the_layers->saved[the_layers->n_saved++] = (struct saved_page){page, copy, older, *bucket};
  *bucket = the_layers->n_saved;
}

/* What a layer has saved is writable while it is the uppermost. Every page is in its bucket after all that were saved
 * before it. */
static void pop(void) {
  const uint32_t first = the_layers->starts[the_layers->count - 1], end = the_layers->n_saved;
  const uint32_t below = the_layers->starts[the_layers->count - 2];
  for (uint32_t i = below; i < first; i++)
    if (find_saved(the_layers->saved[i].page) == i + 1)
      system_call(SYS_mprotect, the_layers->saved[i].page, PAGE, PROT_READ | PROT_WRITE);
  for (uint32_t i = end; i-- > first;) *bucket_of(the_layers->saved[i].page) = the_layers->saved[i].next;
  the_layers->count--;
  the_layers->n_saved = first;
  for (uint32_t i = first; i < end; i++) {
    const struct saved_page saved = the_layers->saved[i];
    if (saved.older > below)
      the_layers->free[the_layers->n_free++] = saved.copy;
    else
      add_saved(saved.page, saved.copy);
  }
}

void layers_restore(uint32_t number) {
  the_layers->is_busy = true;
  seal_copies();
  while (the_layers->count > number + 1) pop();
  for (uint32_t i = the_layers->starts[number]; i < the_layers->n_saved; i++)
    snapshot_copy_page((char *)the_layers->saved[i].page, copy_at(the_layers->saved[i].copy));
  the_layers->is_busy = false;
}

/* ---- writes ---- */

static uint32_t new_copy(void) {
  const uint32_t place = the_layers->n_free ? the_layers->free[--the_layers->n_free] : the_layers->n_copies++;
  if (place >= the_layers->n_sealed) return place;
  system_call(SYS_mprotect, copy_at(place), PAGE, PROT_READ | PROT_WRITE);
  the_layers->is_open = true;
  return place;
}

static void save(uint64_t page) {
  const uint32_t place = new_copy();
  memcpy(copy_at(place), (const void *)page, PAGE);
  add_saved(page, place);
}

void layers_page_will_be_written(uint64_t page) {
  const bool was_busy = the_layers->is_busy;
  if (!the_layers->count) return;
  the_layers->is_busy = true;
  if (the_layers->n_saved < MOST_PAGES)
    save(page);
  else
    checkpoint_cannot_hold();
  the_layers->is_busy = was_busy;
}
