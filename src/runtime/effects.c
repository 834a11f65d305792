/* SPDX-License-Identifier: MIT
 *
 * Functions of the C library that touch the program's memory, as accesses like any others.
 *
 * The library's code runs in one go, but what it does are several accesses: first the ranges it reads, one after the
 * other, then the ranges it writes. Other threads may run before each of them. So
 *   - what was read is kept, and put in place for the call if another thread has changed it since;
 *   - what the call writes is known only afterwards, often not even how many bytes. It is taken away again, the old
 *     bytes are put back, and then each range is announced and written in its turn.
 * Both are needed only when there are several threads.
 */
#include "effects.h"
#include "awaits.h"
#include "checkpoint.h"
#include "files.h"
#include "memory.h"
#include "models.h"
#include "sharing.h"
#include "snapshot.h"
#include "terms.h"
#include "unfollowed.h"

#include <sys/mman.h>

/* ---- a call ---- */

#define STACK_WORDS 64 /* unnamed arguments that may be on the stack */
#define SCRATCH_BYTES (256u << 10)
#define KEPT_BYTES (64u << 10) /* of what was read */

void __heddle_slow_range(const void *address, uint64_t size, const struct site *site, int writes);
void effects_invoke(struct effect_call *call);
EXPORTED void __heddle_effect_call(void);

_Static_assert(offsetof(struct effect_call, vectors) == 48 && offsetof(struct effect_call, row) == 184 &&
                   offsetof(struct effect_call, result) == 208 && offsetof(struct effect_call, result_vectors) == 224 &&
                   offsetof(struct effect_call, has_long_double) == 272 &&
                   offsetof(struct effect_call, stack_words) == 280 && sizeof(struct effect_call) <= 320,
               "effect_call.S knows the structure");

/* A range that was read, and what was there. */
struct kept {
  uint64_t address, bytes;
  char *then; /* NULL: nobody has run since */
};

struct performance {
  struct effect_call *call;
  const struct site *site;
  struct spans spans; /* that are written */
  struct kept kept[MOST_SPANS];
  unsigned n_kept;
  char *room; /* for what is kept */
  uint64_t room_left;
};

/* Constants are never shared: the executable has them before the first section that can be written. */
static bool is_constant(uint64_t address) {
  extern char __executable_start[], __init_array_start[];
  return address >= (uint64_t)__executable_start && address < (uint64_t)__init_array_start;
}

static void announce(const struct performance *self, uint64_t address, uint64_t bytes, bool writes) {
  __heddle_slow_range((const void *)address, bytes, self->site, writes);
  __heddle_site = self->site;
}

/* ---- reading ---- */

/* Another thread may run now: what was read last is kept as it was. */
static void keep_last(struct performance *self) {
  struct kept *last = self->n_kept ? &self->kept[self->n_kept - 1] : NULL;
  if (!last || last->then || !sharing_is_possible()) return;
  if (last->bytes > self->room_left) {
    self->spans.incomplete = true;
    return;
  }
  last->then = memcpy(self->room, (const void *)last->address, last->bytes);
  self->room += last->bytes;
  self->room_left -= last->bytes;
}

static void read_range(void *context, uint64_t address, uint64_t bytes) {
  struct performance *self = context;
  if (is_constant(address)) return;
  keep_last(self);
  announce(self, address, bytes, false);
  if (self->n_kept == MOST_SPANS)
    self->spans.incomplete = true;
  else
    self->kept[self->n_kept++] = (struct kept){address, bytes, NULL};
}

/* Exchanges what was read with what is there now, where that is different: before the call, and after it. */
static void exchange_kept(struct performance *self) {
  for (unsigned i = 0; i < self->n_kept; i++) {
    struct kept *kept = &self->kept[i];
    char *now = (char *)kept->address;
    if (!kept->then || memcmp(now, kept->then, kept->bytes) == 0) continue;
    for (uint64_t byte = 0; byte < kept->bytes; byte++) {
      const char read = kept->then[byte];
      kept->then[byte] = now[byte];
      now[byte] = read;
    }
  }
}

/* ---- writing ---- */

/* How many bytes from the address on can be read. */
static uint64_t readable(uint64_t address) {
  extern char __executable_start[], _end[];
  const uint64_t end = ((uint64_t)_end + 4095) & ~4095ull;
  if (address >= (uint64_t)__executable_start && address < end) return end - address;
  if (address >= STACKS_ADDRESS && address < STACKS_ADDRESS + HEDDLE_MAX_THREADS * STACK_SLOT_BYTES)
    return rt->threads[(address - STACKS_ADDRESS) / STACK_SLOT_BYTES].stack_top - address;
  if (address >= ARENAS_ADDRESS && memory_is_heap(address))
    return ARENA_BYTES - (address - ARENAS_ADDRESS) % ARENA_BYTES;
  return UINT64_MAX;
}

static uint64_t bytes_of(const struct spans *spans) {
  uint64_t bytes = 0;
  for (unsigned i = 0; i < spans->count; i++) bytes += spans->spans[i].bytes;
  return bytes;
}

static void copy_spans(const struct spans *spans, char *to) {
  for (unsigned i = 0; i < spans->count; to += spans->spans[i++].bytes)
    memcpy(to, (const void *)spans->spans[i].address, spans->spans[i].bytes);
}

static void put_back(const struct spans *spans, const char *from) {
  for (unsigned i = 0; i < spans->count; from += spans->spans[i++].bytes)
    memcpy((void *)spans->spans[i].address, from, spans->spans[i].bytes);
}

/* From the first to the last byte that is different. */
static struct span changed(struct span span, const char *old, const char *new, uint64_t *offset) {
  uint64_t first = 0, last = span.bytes;
  while (first < last && old[first] == new[first]) first++;
  while (last > first && old[last - 1] == new[last - 1]) last--;
  *offset = first;
  return (struct span){.address = span.address + first, .bytes = last - first};
}

static void write_span(const struct performance *self, struct span span, const char *new) {
  if (!span.bytes) return;
  announce(self, span.address, span.bytes, true);
  if (new) memcpy((void *)span.address, new, span.bytes);
  term_memory_clear(span.address, span.bytes);
}

/* The ranges as they were before the call and after it, next to each other. */
static void write_in_turn(const struct performance *self, const struct spans *most, const char *old, const char *new) {
  for (unsigned i = 0; i < most->count; i++) {
    struct span span = self->spans.spans[i];
    uint64_t offset = 0;
    if (span.only_changes) span = changed(most->spans[i], old, new, &offset);
    write_span(self, span, new + offset);
    old += most->spans[i].bytes;
    new += most->spans[i].bytes;
  }
}

static void call_function(struct performance *self) {
  __heddle_site = self->site;
  effects_invoke(self->call);
}

/* With two copies of everything that may be written. */
static void perform_with_room(struct performance *self, char *room, uint64_t bytes) {
  const struct spans most = self->spans;
  const uint32_t steps = rt->n_steps;
  exchange_kept(self);
  copy_spans(&most, room);
  call_function(self);
  effect_spans_wrote(self->call, &self->spans);
  if (rt->n_steps != steps) self->spans.incomplete = true; /* what was kept is out of date */
  copy_spans(&most, room + bytes);
  put_back(&most, room);
  exchange_kept(self);
  write_in_turn(self, &most, room, room + bytes);
}

/* Alone, what was written may as well be said afterwards. */
static void perform_alone(struct performance *self) {
  call_function(self);
  effect_spans_wrote(self->call, &self->spans);
  for (unsigned i = 0; i < self->spans.count; i++) write_span(self, self->spans.spans[i], NULL);
}

/* Room that is given back after the run, should it end here. */
static void perform_with_mapping(struct performance *self, uint64_t bytes) {
  const long room =
      system_call(SYS_mmap, 0, 2 * bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (room < 0 || rt->n_mappings == MAX_MAPPINGS) {
    self->spans.incomplete = true;
    perform_alone(self);
    return;
  }
  rt->mappings[rt->n_mappings++] = (struct mapping){(uint64_t)room, 2 * bytes, false, 0};
  perform_with_room(self, (char *)room, bytes);
  for (uint32_t i = 0; i < rt->n_mappings; i++)
    if (rt->mappings[i].address == (uint64_t)room) rt->mappings[i] = rt->mappings[--rt->n_mappings];
  system_call(SYS_munmap, room, 2 * bytes);
}

static void perform_on_stack(struct performance *self, uint64_t bytes) {
  char room[2 * bytes + 1];
  perform_with_room(self, room, bytes);
}

/* ---- all of it ---- */

static void note_kept_pointers(const struct performance *self) {
  const struct effect_row *row = self->call->row;
  for (const struct effect *e = row->effects; e < row->effects + MOST_EFFECTS && e->deed; e++)
    if (e->deed == EFFECT_KEEPS)
      unfollowed_keeps(row->name, self->call->general[e->argument], (site_id)(uint64_t)self->site);
}

extern const struct effect_row __heddle_effects_dprintf, __heddle_effects_vdprintf;

/* The last of what the call depends on, right before it. */
static void take_turn_of_stream(struct performance *self) {
  const struct effect_row *row = self->call->row;
  if (row == &__heddle_effects_dprintf || row == &__heddle_effects_vdprintf) {
    keep_last(self);
    files_take_whole((int)self->call->general[0], (site_id)(uint64_t)self->site);
  }
  for (const struct effect *e = row->effects; e < row->effects + MOST_EFFECTS && e->deed; e++) {
    if (e->deed != EFFECT_STREAM) continue;
    keep_last(self);
    files_take_stream((FILE *)self->call->general[e->argument], (site_id)(uint64_t)self->site);
  }
}

extern const struct effect_row __heddle_effects_strtold, __heddle_effects_frexpl, __heddle_effects_modfl;

static bool returns_long_double(const struct effect_row *row) {
  return row == &__heddle_effects_strtold || row == &__heddle_effects_frexpl || row == &__heddle_effects_modfl;
}

extern const struct effect_row __heddle_effects_getrandom, __heddle_effects_getentropy, __heddle_effects_times,
    __heddle_effects_getrusage, __heddle_effects_getloadavg, __heddle_effects_sysinfo;

/* What it says differs from call to call. */
static bool is_never_the_same(const struct effect_row *row) {
  return row == &__heddle_effects_getrandom || row == &__heddle_effects_getentropy || row == &__heddle_effects_times ||
         row == &__heddle_effects_getrusage || row == &__heddle_effects_getloadavg || row == &__heddle_effects_sysinfo;
}

static void make_room_for_kernel(const struct spans *spans) {
  for (unsigned i = 0; i < spans->count; i++)
    snapshot_make_writable((const void *)spans->spans[i].address, spans->spans[i].bytes);
}

static void perform(struct performance *self) {
  effect_spans_read(self->call, read_range, self, &self->spans);
  take_turn_of_stream(self);
  effect_spans_may_write(self->call, readable, &self->spans);
  note_kept_pointers(self);
  if (is_never_the_same(self->call->row)) checkpoint_cannot_hold();
  make_room_for_kernel(&self->spans);
  const uint64_t bytes = bytes_of(&self->spans);
  if (!sharing_is_possible())
    perform_alone(self);
  else if (bytes <= SCRATCH_BYTES)
    perform_on_stack(self, bytes);
  else
    perform_with_mapping(self, bytes);
  if (self->spans.incomplete) unfollowed_part(self->call->row->name, (site_id)(uint64_t)self->site);
}

static uint64_t words_on_stack(const struct effect_call *call) {
  const uint64_t words = (self()->stack_top - (uint64_t)call->stack) / sizeof(uint64_t);
  return words < STACK_WORDS ? words : STACK_WORDS;
}

void effects_perform(struct effect_call *call);
void effects_perform(struct effect_call *call) {
  if (__heddle_in_run) rehearsal_check();
  char room[KEPT_BYTES];
  struct performance performance = {.call = call, .site = __heddle_site, .room = room, .room_left = sizeof room};
  call->stack_words = words_on_stack(call);
  call->has_long_double = returns_long_double(call->row);
  perform(&performance);
}

/* A model's call of the function that it replaces. */
uint64_t effects_call_real(const struct effect_row *row, const void *target, const uint64_t *arguments) {
  struct effect_call call = {.row = row, .target = target};
  memcpy(call.general, arguments, sizeof call.general);
  char room[KEPT_BYTES];
  struct performance performance = {.call = &call, .site = __heddle_site, .room = room, .room_left = sizeof room};
  if (__heddle_in_run)
    perform(&performance);
  else
    effects_invoke(&call);
  return call.result;
}

/* ---- models ---- */

/* Nothing for calls from code that is not instrumented. */
static void model_access(const void *address, uint64_t bytes, site_id site, bool writes) {
  const struct site *before = __heddle_site;
  if (!site || !bytes || !__heddle_in_run) return;
  __heddle_slow_range(address, bytes, (const struct site *)(uint64_t)site, writes);
  __heddle_site = before;
}

void model_reads(const void *address, uint64_t bytes, site_id site) {
  model_access(address, bytes, site, false);
}

void model_writes(void *address, uint64_t bytes, site_id site) {
  model_access(address, bytes, site, true);
}

void model_reads_string(const char *string, site_id site) {
  if (string && !is_constant((uint64_t)string)) model_access(string, string_length(string) + 1, site, false);
}

void model_store(void *to, const void *from, uint64_t bytes, site_id site) {
  if (!to) return;
  model_access(to, bytes, site, true);
  memcpy(to, from, bytes);
  term_memory_clear((uint64_t)to, bytes);
}
