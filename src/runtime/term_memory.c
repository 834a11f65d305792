/* SPDX-License-Identifier: MIT
 *
 * Which bytes of memory hold terms. Beside every byte there is room for an entry of four bytes, of which only what is
 * used is ever touched:
 *
 *     0                      concrete
 *     term << 4 | byte       that byte of the term, 0 the lowest
 *     UNREAD | number        a byte of an input of many bytes that nobody has read yet: it has no term so far
 *
 * Code that is not instrumented writes memory unseen, so an entry counts only while the byte has the value of its term.
 *
 * hooks.c has a fast path for memory whose shadow word says that this thread has touched it (abi/layout.h). Bytes with
 * entries are left out of these words, so that their accesses come to the runtime; what the word would say of them is
 * kept here, "hidden", for sharing.c.
 *
 * Entries are found again to be cleared by pages of 1024 bytes of memory.
 */
#include "executor.h"
#include "sharing.h"
#include "terms.h"

#include <sys/mman.h>

#define UNREAD (1u << 31)
#define PAGE_BYTES 1024ull
#define SPAN_MASK (SHADOW_BYTES - 1)
#define MAX_PAGES (1u << 28)
#define MOST_SET_ASIDE (1u << 28)

typedef uint32_t entry;

struct entry_tables {
  uint32_t n_pages;
  /* What the last block operation overwrote (term_memory_set_aside). */
  uint64_t aside_address, aside_bytes;
  uint64_t pages[MAX_PAGES]; /* addresses of those with entries */
  entry aside[MOST_SET_ASIDE];
};

#define tables ((struct entry_tables *)(TERM_PAGES_ADDRESS + (SHADOW_BYTES / PAGE_BYTES)))

_Static_assert(TERM_PAGES_ADDRESS + SHADOW_BYTES / PAGE_BYTES + sizeof(struct entry_tables) <= TERM_END_ADDRESS,
               "the tables fit");
_Static_assert(MOST_TERMS < UNREAD >> 4, "a term and a byte fit beside the mark");
_Static_assert(MAX_UNREAD <= UNREAD, "so does the number of a byte");

static void map_at(uint64_t address, uint64_t size) {
  const long at = system_call(SYS_mmap, address, (size + 4095) & ~4095ull, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE | MAP_NORESERVE, -1, 0);
  if (at != (long)address) executor_die("cannot map memory for terms");
}

void term_memory_initialise(void) {
  map_at(TERM_ENTRIES_ADDRESS, SHADOW_BYTES * sizeof(entry));
  map_at(TERM_HIDDEN_ADDRESS, SHADOW_BYTES / 8 * sizeof(uint16_t));
  map_at(TERM_PAGES_ADDRESS, SHADOW_BYTES / PAGE_BYTES);
  map_at((uint64_t)tables, sizeof(struct entry_tables));
}

uint64_t term_memory_end(void) {
  return (uint64_t)(tables + 1);
}

static entry *entry_of(uint64_t address) {
  return (entry *)TERM_ENTRIES_ADDRESS + (address & SPAN_MASK);
}

static uint16_t *hidden_of(uint64_t address) {
  return (uint16_t *)TERM_HIDDEN_ADDRESS + (address & SPAN_MASK) / 8;
}

static uint8_t *page_mark(uint64_t address) {
  return (uint8_t *)TERM_PAGES_ADDRESS + (address & SPAN_MASK) / PAGE_BYTES;
}

static uint64_t page_of(uint64_t address) {
  return address & ~(PAGE_BYTES - 1);
}

void term_memory_begin_run(void) {
  for (uint32_t i = 0; i < tables->n_pages; i++) {
    const uint64_t page = tables->pages[i];
    memset(entry_of(page), 0, PAGE_BYTES * sizeof(entry));
    memset(hidden_of(page), 0, PAGE_BYTES / 8 * sizeof(uint16_t));
    *page_mark(page) = 0;
  }
  tables->n_pages = 0;
  tables->aside_bytes = 0;
  __heddle_terms_in_memory = 0;
}

/* ---- what sharing.c sees ---- */

static unsigned bytes_with_entries(uint64_t granule) {
  const entry *entries = entry_of(granule);
  unsigned bytes = 0;
  for (int i = 0; i < 8; i++) bytes |= (unsigned)(entries[i] != 0) << i;
  return bytes;
}

uint64_t term_memory_hidden(uint64_t granule) {
  return *page_mark(granule) ? *hidden_of(granule) : 0;
}

uint64_t term_memory_hide(uint64_t granule, uint64_t word) {
  if (!*page_mark(granule)) return word;
  const unsigned bytes = word & SHADOW_RECORD ? 0 : bytes_with_entries(granule);
  const uint64_t hidden = word & (bytes | bytes << SHADOW_WRITTEN_SHIFT);
  *hidden_of(granule) = (uint16_t)hidden;
  return word & ~hidden;
}

static void hide(uint64_t address, uint64_t size) {
  for (uint64_t granule = address & ~7ull; granule < address + size; granule += 8) sharing_hide(granule);
}

/* ---- entries ---- */

/* False when there are too many. */
static bool mark_page(uint64_t address) {
  if (*page_mark(address)) return true;
  if (tables->n_pages == MAX_PAGES) {
    terms_are_full();
    return false;
  }
  *page_mark(address) = 1;
  tables->pages[tables->n_pages++] = page_of(address);
  __heddle_terms_in_memory = 1;
  return true;
}

/* How many bytes from the address on lie in the same page. */
static uint64_t within_page(uint64_t address, uint64_t size) {
  const uint64_t left = page_of(address) + PAGE_BYTES - address;
  return size < left ? size : left;
}

bool term_memory_has(uint64_t address, uint64_t size) {
  if (!__heddle_terms_in_memory) return false;
  while (size) {
    const uint64_t count = within_page(address, size);
    if (*page_mark(address)) {
      const entry *entries = entry_of(address);
      for (uint64_t i = 0; i < count; i++)
        if (entries[i]) return true;
    }
    address += count;
    size -= count;
  }
  return false;
}

void term_memory_clear(uint64_t address, uint64_t size) {
  if (!__heddle_terms_in_memory) return;
  while (size) {
    const uint64_t count = within_page(address, size);
    if (*page_mark(address)) memset(entry_of(address), 0, count * sizeof(entry));
    address += count;
    size -= count;
  }
}

/* The input that the byte with this number belongs to. */
static const struct block_input *block_of(uint32_t number) {
  uint32_t low = 0, high = the_tables->n_blocks; /* the last that starts at or before it is in low .. high - 1 */
  while (high - low > 1) {
    const uint32_t middle = low + (high - low) / 2;
    if (the_tables->blocks[middle].first <= number)
      low = middle;
    else
      high = middle;
  }
  return &the_tables->blocks[low];
}

static uint32_t term_of_unread(uint32_t number) {
  uint32_t *term = &the_tables->unread_terms[number];
  const struct block_input *block = block_of(number);
  if (!*term)
    *term = term_input(block->index + (number - block->first), block->thread, 8, the_tables->unread_values[number]);
  return *term;
}

static unsigned byte_of(uint32_t term, unsigned index) {
  return (unsigned)(term_value(term) >> (8 * index)) & 0xff;
}

/* The entry of a byte, 0 when the byte has another value by now; one that was unread becomes one with a term. */
static entry read_entry(uint64_t address) {
  entry *place = entry_of(address);
  const unsigned byte = *(const uint8_t *)address;
  if (*place & UNREAD) {
    const uint32_t number = *place & ~UNREAD;
    *place = the_tables->unread_values[number] == byte ? term_of_unread(number) << 4 : 0;
  }
  if (*place && byte_of(*place >> 4, *place & 15) != byte) *place = 0;
  return *place;
}

void term_memory_pin(uint64_t address, uint64_t size, enum pin_reason why, site_id site) {
  if (!term_memory_has(address, size)) return;
  for (uint64_t i = 0; i < size; i++)
    if (*page_mark(address + i)) decide_pin(read_entry(address + i) >> 4, why, site);
}

/* ---- loads and stores ---- */

static bool any_entry(uint64_t address, uint64_t size) {
  if (!*page_mark(address) && !*page_mark(address + size - 1)) return false;
  const entry *entries = entry_of(address);
  for (uint64_t i = 0; i < size; i++)
    if (entries[i]) return true;
  return false;
}

/* How many entries from `first` on are consecutive bytes of one term, or concrete. */
static unsigned length_of_piece(const entry *entries, unsigned first, unsigned count) {
  unsigned next = first + 1;
  while (next < count && entries[next] == (entries[first] ? entries[first] + (next - first) : 0)) next++;
  return next - first;
}

static uint32_t piece(const entry *entries, uint64_t address, unsigned first, unsigned length) {
  const entry start = entries[first];
  if (start) return term_extract(start >> 4, 8 * (start & 15), 8 * length);
  bits value = 0;
  memcpy(&value, (const char *)address + first, length);
  return term_constant(value, 8 * length);
}

uint32_t term_memory_load(uint64_t address, uint64_t size) {
  if (!__heddle_terms_in_memory || !size || size > 16 || !any_entry(address, size)) return 0;
  entry entries[16];
  entry any = 0;
  for (unsigned i = 0; i < size; i++) any |= entries[i] = read_entry(address + i);
  if (!any) return 0;
  uint32_t term = 0;
  for (unsigned i = 0; i < size;) {
    const unsigned length = length_of_piece(entries, i, (unsigned)size);
    const uint32_t next = piece(entries, address, i, length);
    term = i ? term_make(TERM_CONCATENATE, 8 * (i + length), 0, next, term, 0) : next;
    if (!term) return 0;
    i += length;
  }
  return term;
}

static bool has_bytes(uint32_t term, uint64_t address, uint64_t size) {
  bits value = 0;
  memcpy(&value, (const void *)address, size);
  return term_value(term) == value;
}

void term_memory_store(uint64_t address, uint64_t size, uint32_t term) {
  tables->aside_bytes = 0;
  if (term && size && size <= 16) term = term_resize(term, 8 * (unsigned)size);
  if (!term || size > 16) {
    term_memory_clear(address, size);
    return;
  }
  if (!has_bytes(term, address, size)) {
    term_mismatch(0);
    term_memory_clear(address, size);
    return;
  }
  for (unsigned i = 0; i < size; i++)
    if (mark_page(address + i)) *entry_of(address + i) = term << 4 | i;
  hide(address, size);
}

/* ---- blocks ---- */

void term_memory_set_aside(uint64_t address, uint64_t size) {
  if (!__heddle_terms_in_memory) return;
  tables->aside_bytes = 0;
  if (!term_memory_has(address, size)) return;
  if (size > MOST_SET_ASIDE) {
    terms_are_full();
  } else {
    memcpy(tables->aside, entry_of(address), size * sizeof(entry));
    tables->aside_address = address;
    tables->aside_bytes = size;
  }
  term_memory_clear(address, size);
}

/* What the byte held before the block operation that is being followed. */
static entry entry_before(uint64_t address) {
  const uint64_t offset = address - tables->aside_address;
  if (offset < tables->aside_bytes) return tables->aside[offset];
  return *page_mark(address) ? *entry_of(address) : 0;
}

static void copy_entry(uint64_t to, uint64_t from) {
  const entry copied = entry_before(from);
  if (copied && mark_page(to))
    *entry_of(to) = copied;
  else if (*page_mark(to))
    *entry_of(to) = 0;
}

void term_memory_copy(uint64_t to, uint64_t from, uint64_t size) {
  if (!__heddle_terms_in_memory || !size) return;
  if (to < from)
    for (uint64_t i = 0; i < size; i++) copy_entry(to + i, from + i);
  else
    for (uint64_t i = size; i-- > 0;) copy_entry(to + i, from + i);
  tables->aside_bytes = 0;
  hide(to, size);
}

void term_memory_place(uint64_t address, const struct block_input *input, uint32_t offset, uint64_t size) {
  for (uint64_t i = 0; i < size; i++)
    if (mark_page(address + i)) *entry_of(address + i) = UNREAD | (input->first + offset + (uint32_t)i);
  hide(address, size);
}

/* ---- hooks ---- */

EXPORTED uint32_t __heddle_term_load(const void *address, uint64_t size);
uint32_t __heddle_term_load(const void *address, uint64_t size) {
  return terms_on() ? term_memory_load((uint64_t)address, size) : 0;
}

EXPORTED void __heddle_term_store(void *address, uint64_t size, uint32_t term);
void __heddle_term_store(void *address, uint64_t size, uint32_t term) {
  if (terms_on()) term_memory_store((uint64_t)address, size, term);
}

EXPORTED void __heddle_term_copy(void *to, const void *from, uint64_t size);
void __heddle_term_copy(void *to, const void *from, uint64_t size) {
  if (terms_on()) term_memory_copy((uint64_t)to, (uint64_t)from, size);
}

EXPORTED void __heddle_term_fill(void *to, uint64_t size, uint32_t term);
void __heddle_term_fill(void *to, uint64_t size, uint32_t term) {
  if (!terms_on()) return;
  tables->aside_bytes = 0;
  term = term_resize(term, 8);
  if (!term) {
    term_memory_clear((uint64_t)to, size);
    return;
  }
  for (uint64_t i = 0; i < size; i++)
    if (mark_page((uint64_t)to + i)) *entry_of((uint64_t)to + i) = term << 4;
  hide((uint64_t)to, size);
}
