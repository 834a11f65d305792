/* SPDX-License-Identifier: MIT
 *
 * Putting the program's memory back between runs. At the start of main every writable private mapping (data, bss,
 * libc's state, the brk heap, main's TLS block) is write-protected. The first write to a page in any run faults; the
 * page is copied away, made writable, and from then on copied back after every run. So a run costs the copying of the
 * pages that runs write to, however much memory the program has. When these have become many, all are protected again,
 * so that pages that only one run wrote to are dropped.
 *
 * Not put back: the coverage bytes, which stand in the executable's data. The variables that the runtime shares with
 * instrumented code have a page of their own (exported.S), of which only they are put back.
 */
#include "snapshot.h"
#include "executor.h"
#include "layers.h"
#include "sharing.h"

#include <fcntl.h>
#include <sys/mman.h>

#define PAGE 4096ull
#define MAX_REGIONS 256
#define MANY_PAGES 1024u
#define RUNS_BETWEEN_PROTECTIONS 64u

struct region {
  uint64_t start, end;
  uint32_t *copies; /* per page: 1 + its number among the copied pages, 0 while unwritten; | IS_LISTED */
};

#define IS_LISTED 0x80000000u /* among the pieces that are copied back */

struct copy {
  char *memory;
  const char *saved;
  uint64_t size_bytes;
};

/* Beside the runtime's state, so outside what is put back. */
struct snapshot {
  uint32_t n_regions;
  uint32_t n_saved;  /* pages copied away so far */
  uint32_t n_copies; /* pieces to copy back after a run */
  uint32_t runs_since_protection;
  uint64_t n_faults;
  bool taken;
  uint64_t next_free;  /* for the regions' page tables */
  char exported[PAGE]; /* the variables of exported.S */
  struct region regions[MAX_REGIONS];
  struct copy copies[1u << 24]; /* only what is used is ever touched */
};

#define the_snapshot ((struct snapshot *)(RUNTIME_ADDRESS + (4ull << 30)))
#define PAGE_TABLES (RUNTIME_ADDRESS + (6ull << 30))
#define PAGE_TABLES_BYTES (2ull << 30)
#define SAVED_PAGES (RUNTIME_ADDRESS + (8ull << 30))
#define SAVED_PAGES_BYTES (48ull << 30)

extern char __start_heddle_coverage[] __attribute__((weak));
extern char __stop_heddle_coverage[] __attribute__((weak));
extern char exported_begin[], exported_end[];

static void map_at(uint64_t address, uint64_t size) {
  const long at = system_call(SYS_mmap, address, size, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
  if (at < 0) executor_die("cannot map the runtime's memory");
}

/* ---- finding what to put back ---- */

uint64_t parse_hexadecimal(const char **text) {
  uint64_t value = 0;
  for (;; (*text)++) {
    const char c = **text;
    if (c >= '0' && c <= '9')
      value = value * 16 + (uint64_t)(c - '0');
    else if (c >= 'a' && c <= 'f')
      value = value * 16 + (uint64_t)(c - 'a' + 10);
    else
      return value;
  }
}

bool snapshot_is_ours(uint64_t start) {
  return (start >= STACKS_ADDRESS && start < TERM_END_ADDRESS) ||
         (start >= FILES_ADDRESS && start < FILES_ADDRESS + FILES_BYTES) ||
         (start >= CONTENTS_ADDRESS && start < CONTENTS_ADDRESS + MAX_FILES * CONTENT_BYTES);
}

static bool ends_with(const char *line, const char *end, const char *suffix) {
  const size_t length = string_length(suffix);
  return (size_t)(end - line) >= length && memcmp(end - length, suffix, length) == 0;
}

/* A line of /proc/self/maps: "00400000-00401000 rw-p offset device inode   path". */
static void consider_mapping(const char *line, const char *end) {
  const char *at = line;
  const uint64_t start = parse_hexadecimal(&at);
  at++;
  const uint64_t stop = parse_hexadecimal(&at);
  if (at[1] != 'r' || at[2] != 'w' || at[4] != 'p') return;
  if (snapshot_is_ours(start) || ends_with(line, end, "[stack]")) return;
  if (the_snapshot->n_regions == MAX_REGIONS) executor_die("too many memory mappings at the start of main");
  struct region *region = &the_snapshot->regions[the_snapshot->n_regions++];
  *region = (struct region){start, stop, (uint32_t *)(PAGE_TABLES + the_snapshot->next_free)};
  the_snapshot->next_free += (stop - start) / PAGE * sizeof(uint32_t);
  sharing_expect_much(start, stop - start);
  if (the_snapshot->next_free > PAGE_TABLES_BYTES) executor_die("too much memory in use at the start of main");
}

static void find_regions(void) {
  static char text[1 << 16];
  const int file = (int)system_call(SYS_open, "/proc/self/maps", O_RDONLY);
  if (file < 0) executor_die("cannot read /proc/self/maps");
  size_t length = 0;
  long count;
  while ((count = system_call(SYS_read, file, text + length, sizeof text - 1 - length)) > 0) length += (size_t)count;
  system_call(SYS_close, file);
  for (char *line = text; line < text + length;) {
    char *end = line;
    while (end < text + length && *end != '\n') end++;
    consider_mapping(line, end);
    line = end + 1;
  }
}

static struct region *region_of(uint64_t address) {
  for (uint32_t i = 0; i < the_snapshot->n_regions; i++)
    if (address >= the_snapshot->regions[i].start && address < the_snapshot->regions[i].end)
      return &the_snapshot->regions[i];
  return NULL;
}

void snapshot_protect(void) {
  for (uint32_t i = 0; i < the_snapshot->n_regions; i++) {
    const struct region *region = &the_snapshot->regions[i];
    system_call(SYS_mprotect, region->start, region->end - region->start, PROT_READ);
  }
}

bool snapshot_covers(uint64_t start, uint64_t end) {
  while (start < end) {
    const struct region *region = region_of(start);
    if (!region) return false;
    start = region->end;
  }
  return true;
}

static uint64_t page_of(const void *address) {
  return (uint64_t)address & ~(PAGE - 1);
}

static uint32_t *number_of(const struct region *region, uint64_t page) {
  return &region->copies[(page - region->start) / PAGE];
}

void snapshot_unprotect(void) {
  for (uint32_t i = 0; i < the_snapshot->n_copies; i++) {
    const struct copy *copy = &the_snapshot->copies[i];
    const uint64_t first = page_of(copy->memory), last = page_of(copy->memory + copy->size_bytes - 1);
    system_call(SYS_mprotect, first, last + PAGE - first, PROT_READ | PROT_WRITE);
  }
}

static void protect_all(void) {
  for (uint32_t i = 0; i < the_snapshot->n_copies; i++) {
    const struct copy *copy = &the_snapshot->copies[i];
    for (uint64_t page = page_of(copy->memory); page < (uint64_t)copy->memory + copy->size_bytes; page += PAGE)
      *number_of(region_of(page), page) &= ~IS_LISTED;
  }
  snapshot_protect();
  the_snapshot->n_copies = 0;
  the_snapshot->runs_since_protection = 0;
}

void snapshot_release(void) {
  for (uint32_t i = 0; i < the_snapshot->n_regions; i++) {
    const struct region *region = &the_snapshot->regions[i];
    system_call(SYS_mprotect, region->start, region->end - region->start, PROT_READ | PROT_WRITE);
  }
}

/* Also without a snapshot, its regions are looked at: there are none. */
void snapshot_initialise(void) {
  map_at((uint64_t)the_snapshot, sizeof(struct snapshot));
}

/* ---- writes ---- */

static void add_copy(char *memory, const char *saved, uint64_t size_bytes) {
  if (!size_bytes) return;
  struct copy *last = &the_snapshot->copies[the_snapshot->n_copies - 1];
  if (the_snapshot->n_copies && last->memory + last->size_bytes == memory && last->saved + last->size_bytes == saved)
    last->size_bytes += size_bytes;
  else
    the_snapshot->copies[the_snapshot->n_copies++] = (struct copy){memory, saved, size_bytes};
}

/* The part of a page that is coverage; nothing: at the end of the page. */
static void find_coverage(char *page, char **start, char **end) {
  char *const page_end = page + PAGE;
  *start = __start_heddle_coverage < page ? page : __start_heddle_coverage;
  *end = __stop_heddle_coverage > page_end ? page_end : __stop_heddle_coverage;
  if (*start >= *end) *start = *end = page_end;
}

/* The page without the part of it that is coverage. */
static void add_page(char *page, const char *saved) {
  if (page == exported_begin) return; /* snapshot_restore knows what is there */
  char *hole_start, *hole_end;
  find_coverage(page, &hole_start, &hole_end);
  add_copy(page, saved, (uint64_t)(hole_start - page));
  add_copy(hole_end, saved + (hole_end - page), (uint64_t)(page + PAGE - hole_end));
}

/* Saved pages are read-only, so that a wild write does not spoil later runs unseen. */
static void save_page(char *saved, const char *page) {
  system_call(SYS_mprotect, saved, PAGE, PROT_READ | PROT_WRITE);
  memcpy(saved, page, PAGE);
  system_call(SYS_mprotect, saved, PAGE, PROT_READ);
}

uint64_t snapshot_faults(void) {
  return the_snapshot->n_faults;
}

/* A page that layers.c protects may be listed already. */
static void page_will_be_written(struct region *region, uint64_t page) {
  uint32_t *number = number_of(region, page);
  if (*number & IS_LISTED) return;
  if (!*number) {
    *number = ++the_snapshot->n_saved;
    if (the_snapshot->n_saved * PAGE > SAVED_PAGES_BYTES) executor_die("too much memory written");
    save_page((char *)SAVED_PAGES + (*number - 1) * PAGE, (const char *)page);
  }
  add_page((char *)page, (const char *)SAVED_PAGES + (*number - 1) * PAGE);
  *number |= IS_LISTED;
}

bool snapshot_handle_fault(uint64_t address) {
  if (!the_snapshot->taken) return false;
  struct region *region = region_of(address);
  if (!region && !layers_is_followed(address)) return false;
  the_snapshot->n_faults++;
  if (region) page_will_be_written(region, address & ~(PAGE - 1));
  layers_page_will_be_written(address & ~(PAGE - 1));
  system_call(SYS_mprotect, address & ~(PAGE - 1), PAGE, PROT_READ | PROT_WRITE);
  return true;
}

/* ---- shared libraries ---- */

extern char _DYNAMIC[] __attribute__((weak));

bool snapshot_has_libraries(void) {
  return _DYNAMIC != NULL;
}

#define MOST_AT_ONCE 256u

/* A library may put a handler of its own for SIGSEGV in the place of ours, as test frameworks do, and would take our
 * faults for the program's. So there should be none: what is small is copied back after every run from the first on. */
static void expect_writes(void) {
  uint64_t pages = 0;
  for (uint32_t i = 0; i < the_snapshot->n_regions; i++) {
    struct region *region = &the_snapshot->regions[i];
    pages += (region->end - region->start) / PAGE;
    if (pages > MOST_AT_ONCE) return;
    for (uint64_t page = region->start; page < region->end; page += PAGE) snapshot_handle_fault(page);
  }
}

void snapshot_take(void) {
  map_at(PAGE_TABLES, PAGE_TABLES_BYTES);
  map_at(SAVED_PAGES, SAVED_PAGES_BYTES);
  find_regions();
  memcpy(the_snapshot->exported, exported_begin, (size_t)(exported_end - exported_begin));
  the_snapshot->taken = true;
  protect_all();
  if (snapshot_has_libraries()) expect_writes();
}

void snapshot_make_writable(const void *address, size_t size) {
  /* Reading and writing back a byte of each page makes the fault happen here, where it is handled. */
  if (!size) return;
  const uint64_t first = (uint64_t)address & ~(PAGE - 1), last = ((uint64_t)address + size - 1) & ~(PAGE - 1);
  if (!region_of((uint64_t)address) && !layers_is_followed((uint64_t)address)) return;
  for (uint64_t page = first; page <= last; page += PAGE) {
    volatile char *byte = (volatile char *)(page < (uint64_t)address ? (uint64_t)address : page);
    *byte = *byte;
  }
}

void snapshot_copy_page(char *page, const char *saved) {
  char *hole_start, *hole_end;
  find_coverage(page, &hole_start, &hole_end);
  memcpy(page, saved, (uint64_t)(hole_start - page));
  memcpy(hole_end, saved + (hole_end - page), (uint64_t)(page + PAGE - hole_end));
}

void snapshot_restore(void) {
  for (uint32_t i = 0; i < the_snapshot->n_copies; i++) {
    const struct copy *copy = &the_snapshot->copies[i];
    memcpy(copy->memory, copy->saved, copy->size_bytes);
  }
  memcpy(exported_begin, the_snapshot->exported, (size_t)(exported_end - exported_begin));
  if (the_snapshot->n_copies > MANY_PAGES && ++the_snapshot->runs_since_protection == RUNS_BETWEEN_PROTECTIONS)
    protect_all();
}
