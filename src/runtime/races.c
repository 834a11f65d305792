/* SPDX-License-Identifier: MIT
 *
 * Data races by happens-before, as in FastTrack (Flanagan, Freund, 2009): two accesses of the same bytes by two
 * threads, at least one of them a write, not both atomic, of which neither happens before the other.
 *
 * Every thread has a vector clock: entry u is how much of thread u happens before its present. A synchronisation object
 * has one too. Releasing adds the thread's clock to the object's and starts a new epoch of the thread; acquiring adds
 * the object's clock to the thread's. What releases and acquires:
 *
 *     mutex, spinlock        unlock -> lock
 *     rwlock                 unlock of a writer -> any lock; unlock of a reader -> lock of a writer
 *     semaphore              post -> wait
 *     condition variable     signal -> the thread it wakes
 *     barrier                arriving -> leaving
 *     once                   end of the function -> every later call
 *     thread                 creation -> start, end -> join
 *     atomic                 write -> read, update -> read; whatever memory order the program asks for
 *     atomic section         end -> beginning of any later one
 *
 * Only shared memory is looked at: an access of memory that is private so far is not a visible operation. For each
 * eight bytes the accesses of this run that a later one may still race with are remembered: not those that a later,
 * ordered access stands for, and at most MAX_REMEMBERED, the latest.
 *
 * Nothing is cleared between runs: what belongs to an earlier run has an earlier number, and the pools that clocks,
 * accesses and sets of locks are taken from start again.
 */
#include "ends.h"
#include "settled.h"
#include "warnings.h"

#define MAX_REMEMBERED 64
#define LEAST_CAPACITY 8u
#define HEADER_WORDS 2u /* of a clock in the pool: its length and its capacity, then the entries */

/* ---- clocks ---- */

struct race_clock {
  uint32_t length; /* entries from here on are zero */
  uint32_t capacity;
  uint32_t entries[];
};

static struct race_clock *clock_at(uint32_t place) {
  return (struct race_clock *)&rt->race.clock_words[place];
}

/* Clocks ran out: nothing can be said about the rest of this run. */
static void give_up(void) {
  rt->knowledge->overflow = 1;
  rt->race.on = false;
}

/* 0 when there is no room. */
static uint32_t new_clock(uint32_t length) {
  uint32_t capacity = LEAST_CAPACITY;
  while (capacity < length) capacity *= 2;
  if (rt->race.n_clock_words + HEADER_WORDS + capacity > CLOCK_WORDS) {
    give_up();
    return 0;
  }
  const uint32_t place = rt->race.n_clock_words;
  rt->race.n_clock_words += HEADER_WORDS + capacity;
  clock_at(place)->length = 0;
  clock_at(place)->capacity = capacity;
  return place;
}

/* Which is larger cannot be foreseen: written in either case. */
static void join_entries(uint32_t *to, uint32_t *to_length, const uint32_t *from, uint32_t from_length) {
  const uint32_t common = from_length < *to_length ? from_length : *to_length;
  for (uint32_t i = 0; i < common; i++) to[i] = from[i] > to[i] ? from[i] : to[i];
  for (uint32_t i = common; i < from_length; i++) to[i] = from[i];
  if (from_length > *to_length) *to_length = from_length;
}

static void join_from_place(struct race_row *row, uint32_t place) {
  if (place) join_entries(row->entries, &row->length, clock_at(place)->entries, clock_at(place)->length);
}

/* Adds the row to the clock at *place, which moves when it must grow. */
static void join_into_place(uint32_t *place, const struct race_row *row) {
  if (!*place || clock_at(*place)->capacity < row->length) {
    const uint32_t larger = new_clock(row->length);
    if (!larger) return;
    if (*place) {
      clock_at(larger)->length = clock_at(*place)->length;
      memcpy(clock_at(larger)->entries, clock_at(*place)->entries, clock_at(*place)->length * sizeof(uint32_t));
    }
    *place = larger;
  }
  struct race_clock *clock = clock_at(*place);
  join_entries(clock->entries, &clock->length, row->entries, row->length);
}

static struct race_row *row_of(const struct thread *thread) {
  return &rt->race.rows[thread->id];
}

static void new_epoch(const struct thread *thread) {
  row_of(thread)->entries[thread->id]++;
}

static bool is_before_now(thread_id thread, uint32_t clock, const struct race_row *row) {
  return thread < row->length && clock <= row->entries[thread];
}

/* ---- what synchronises ---- */

void races_acquire(const struct object *object) {
  if (rt->race.on) join_from_place(row_of(self()), object->clock);
}

void races_release(struct object *object) {
  if (!rt->race.on) return;
  join_into_place(&object->clock, row_of(self()));
  new_epoch(self());
}

void races_acquire_after_readers(const struct object *object) {
  if (!rt->race.on) return;
  join_from_place(row_of(self()), object->clock);
  join_from_place(row_of(self()), object->readers_clock);
}

void races_release_as_reader(struct object *object) {
  if (!rt->race.on) return;
  join_into_place(&object->readers_clock, row_of(self()));
  new_epoch(self());
}

void races_hand_over(const struct thread *to) {
  if (!rt->race.on) return;
  struct race_row *row = row_of(to);
  join_entries(row->entries, &row->length, row_of(self())->entries, row_of(self())->length);
  new_epoch(self());
}

void races_new_thread(const struct thread *parent, const struct thread *child) {
  if (!rt->race.on) return;
  struct race_row *row = row_of(child);
  row->length = 0;
  if (parent) join_entries(row->entries, &row->length, row_of(parent)->entries, row_of(parent)->length);
  for (; row->length <= child->id; row->length++) row->entries[row->length] = 0;
  row->entries[child->id] = 1;
  if (parent) new_epoch(parent);
}

void races_join(const struct thread *joiner, const struct thread *ended) {
  if (!rt->race.on) return;
  struct race_row *row = row_of(joiner);
  join_entries(row->entries, &row->length, row_of(ended)->entries, row_of(ended)->length);
}

void races_enter_section(void) {
  if (rt->race.on) join_from_place(row_of(self()), rt->race.section_clock);
}

void races_leave_section(void) {
  if (!rt->race.on) return;
  join_into_place(&rt->race.section_clock, row_of(self()));
  new_epoch(self());
}

/* ---- sets of locks ---- */

/* The locks the thread holds, kept for accesses that are remembered longer than it holds them. */
static uint32_t locks_of(struct thread *thread) {
  if (thread->lock_set || !thread->n_held || rt->race.n_lock_sets == MAX_LOCK_SETS) return thread->lock_set;
  struct lock_set *set = &rt->race.lock_sets[rt->race.n_lock_sets];
  *set = (struct lock_set){0};
  for (uint32_t i = 0; i < WARNING_LOCKS && i < thread->n_held; i++) {
    set->locks[i] = thread->held[i].lock->address;
    set->sites[i] = lockorder_taken_at(thread, thread->held[i].lock);
  }
  return thread->lock_set = rt->race.n_lock_sets++;
}

/* ---- reporting ---- */

static char *append_text(char *at, const char *end, const char *text) {
  while (*text && at < end) *at++ = *text++;
  *at = 0;
  return at;
}

static char *append_number(char *at, const char *end, uint32_t number) {
  char digits[12];
  int first = sizeof digits - 1;
  digits[first] = 0;
  do digits[--first] = (char)('0' + number % 10);
  while (number /= 10);
  return append_text(at, end, &digits[first]);
}

/* "t2.1", as reports name threads. */
static char *append_thread(char *at, const char *end, thread_id thread) {
  if (thread == 0) return append_text(at, end, "main");
  const struct thread_name *name = &rt->knowledge->threads[thread];
  /* A thread is named after its parent; the program may have written over the names. */
  at = name->parent == 0 || name->parent >= thread ? append_text(at, end, "t")
                                                   : append_text(append_thread(at, end, name->parent), end, ".");
  return append_number(at, end, name->index + 1u);
}

static char *append_place(char *at, const char *end, site_id id) {
  const struct site *site = (const struct site *)(uint64_t)id;
  if (!site || !site->line) return append_text(at, end, "an unknown place");
  at = append_text(append_text(at, end, site->file), end, ":");
  return append_number(at, end, site->line);
}

static const char *words_of(uint8_t kind) {
  static const char *const words[EVENT_KINDS] = {
#define EVENT(name, words, ...) [EVENT_##name] = words,
#include "abi/events.def"
#undef EVENT
  };
  return words[kind];
}

static char *append_access(char *at, const char *end, uint8_t kind, thread_id thread, site_id site) {
  at = append_text(append_text(at, end, words_of(kind)), end, " by ");
  at = append_text(append_thread(at, end, thread), end, " at ");
  return append_place(at, end, site);
}

static _Noreturn void end_run(const struct race_access *earlier, const struct race_access *now, uint64_t address) {
  char message[MESSAGE_BYTES], *at = message;
  const char *end = message + sizeof message - 1;
  at = append_access(at, end, now->kind, now->thread, now->site);
  at = append_text(at, end, " is not ordered with ");
  append_access(at, end, earlier->kind, earlier->thread, earlier->site);
  rt->status = (int32_t)earlier->site;
  finish_run_with_message(OUTCOME_DATA_RACE, now->site, address, message);
}

static void copy_locks(uint64_t *locks, site_id *sites, uint32_t set) {
  for (uint32_t i = 0; set && i < WARNING_LOCKS; i++) {
    locks[i] = rt->race.lock_sets[set].locks[i];
    sites[i] = rt->race.lock_sets[set].sites[i];
  }
}

static void warn(const struct race_access *earlier, const struct race_access *now, uint64_t address, uint32_t size) {
  if (warnings_has(WARNING_DATA_RACE, now->site, earlier->site)) return;
  struct warning warning = {.kind = WARNING_DATA_RACE,
                            .site = now->site,
                            .other_site = earlier->site,
                            .thread = now->thread,
                            .other_thread = earlier->thread,
                            .event = now->kind,
                            .other_event = earlier->kind,
                            .size = size,
                            .address = address};
  copy_locks(warning.locks, warning.lock_sites, now->lock_set);
  copy_locks(warning.other_locks, warning.other_lock_sites, earlier->lock_set);
  warnings_add(&warning);
}

static void found(const struct race_access *earlier, const struct race_access *now, uint64_t address, uint32_t size) {
  if (rt->channel->options & RUN_RACES_END) end_run(earlier, now, address);
  warn(earlier, now, address, size);
}

/* ---- accesses ---- */

enum { WRITES = 1, PLAIN = 2 }; /* what an access does, and that it is not atomic */

static const uint8_t accesses[EVENT_KINDS] = {
    [EVENT_READ] = PLAIN,          [EVENT_WRITE] = WRITES | PLAIN, [EVENT_FREE] = WRITES | PLAIN,
    [EVENT_ATOMIC_WRITE] = WRITES, [EVENT_ATOMIC_UPDATE] = WRITES, [EVENT_ATOMIC_EXCHANGE_DONE] = WRITES};

static bool writes(uint8_t kind) {
  return accesses[kind] & WRITES;
}

static bool is_atomic(uint8_t kind) {
  return !(accesses[kind] & PLAIN);
}

bool races_conflict(uint8_t kind, uint8_t other_kind) {
  return (accesses[kind] | accesses[other_kind]) == (WRITES | PLAIN);
}

/* Whatever races with the earlier access later on races with this one too, which happens after it: it touches all of
 * its bytes, writes if that one did, and is plain if that one was. */
static bool stands_for(const struct race_access *now, const struct race_access *earlier) {
  return !(earlier->bytes & ~now->bytes) && !(accesses[earlier->kind] & ~accesses[now->kind]);
}

static struct race_granule *granule_of(uint64_t address) {
  const uint64_t word = *shadow_of(address);
  if (!(word & SHADOW_RECORD)) return NULL;
  struct race_granule *granule = &rt->race.granules[word & ~SHADOW_RECORD];
  if (granule->run == rt->race.run) return granule;
  *granule = (struct race_granule){.run = rt->race.run};
  settled_look_at(&rt->race.places[word & ~SHADOW_RECORD]);
  return granule;
}

static uint32_t take_access(void) {
  const uint32_t place = rt->race.free_access;
  if (place) {
    rt->race.free_access = rt->race.accesses[place].next;
    return place;
  }
  return rt->race.n_accesses < MAX_RACE_ACCESSES ? rt->race.n_accesses++ : 0;
}

static void drop_access(struct race_granule *granule, uint32_t *link) {
  const uint32_t place = *link;
  *link = rt->race.accesses[place].next;
  rt->race.accesses[place].next = rt->race.free_access;
  rt->race.free_access = place;
  granule->n_accesses--;
}

/* Member by member: the access was made just now, and the processor waits when what was written in small pieces is read
 * in a large one. */
static void remember(struct race_granule *granule, const struct race_access *now) {
  const uint32_t place = take_access();
  if (!place) return;
  rt->race.accesses[place] = (struct race_access){.clock = now->clock,
                                                  .site = now->site,
                                                  .lock_set = now->lock_set,
                                                  .next = granule->first,
                                                  .thread = now->thread,
                                                  .kind = now->kind,
                                                  .bytes = now->bytes};
  granule->first = place;
  granule->n_accesses++;
}

/* The latest access is the first of the list: mostly a thread comes back to what it did in the same epoch. */
static bool is_repeated(const struct race_granule *granule, const struct race_access *now) {
  const struct race_access *latest = &rt->race.accesses[granule->first];
  return granule->first && latest->thread == now->thread && latest->clock == now->clock && latest->kind == now->kind &&
         latest->bytes == now->bytes && latest->site == now->site;
}

static void check_granule(struct race_granule *granule, const struct race_access *now, uint64_t address,
                          uint32_t size) {
  struct race_place *place = &rt->race.places[granule - rt->race.granules];
  if (settled_notes(place, race_class(now->kind, now->bytes, now->thread, now->site)) || is_repeated(granule, now))
    return;
  const struct race_row *row = &rt->race.rows[now->thread];
  for (uint32_t *link = &granule->first; *link;) {
    const struct race_access *earlier = &rt->race.accesses[*link];
    const bool ordered = earlier->thread == now->thread || is_before_now(earlier->thread, earlier->clock, row);
    if (!ordered && earlier->bytes & now->bytes && races_conflict(earlier->kind, now->kind))
      found(earlier, now, address, size);
    if ((ordered && stands_for(now, earlier)) || (granule->n_accesses >= MAX_REMEMBERED && !earlier->next))
      drop_access(granule, link);
    else
      link = &rt->race.accesses[*link].next;
  }
  remember(granule, now);
}

/* Where the clock of an atomic variable is kept. */
static uint32_t *clock_of_atomic(struct race_granule *granule, uint64_t address) {
  if (!granule->clocks) {
    granule->clocks = new_clock(LEAST_CAPACITY);
    if (!granule->clocks) return NULL;
    memset(clock_at(granule->clocks)->entries, 0, LEAST_CAPACITY * sizeof(uint32_t));
  }
  return &clock_at(granule->clocks)->entries[address & 7];
}

static void acquire_atomic(uint8_t kind, uint64_t address) {
  struct race_granule *granule = granule_of(address);
  if (!granule || !granule->clocks || kind == EVENT_ATOMIC_WRITE) return;
  join_from_place(row_of(self()), *clock_of_atomic(granule, address));
}

/* A write does not hand on what others wrote before, an update does. */
static void release_atomic(uint8_t kind, uint64_t address) {
  struct race_granule *granule = granule_of(address);
  uint32_t *place = granule && writes(kind) ? clock_of_atomic(granule, address) : NULL;
  if (!place) return;
  if (kind == EVENT_ATOMIC_WRITE && *place) clock_at(*place)->length = 0;
  join_into_place(place, row_of(self()));
  new_epoch(self());
}

static void check_bytes(struct race_access *now, uint64_t address, uint32_t size) {
  const uint64_t end = address + size;
  for (uint64_t at = address; at < end; at = (at & ~7ull) + 8) {
    const unsigned first = at & 7;
    const unsigned count = end - at < 8 - first ? (unsigned)(end - at) : 8 - first;
    struct race_granule *granule = granule_of(at);
    now->bytes = (uint8_t)(((1u << count) - 1) << first);
    if (granule) check_granule(granule, now, address, size);
  }
}

void races_check(uint8_t kind, uint64_t address, uint32_t size, site_id site) {
  struct thread *thread = self();
  const bool atomic = is_atomic(kind);
  if (atomic) acquire_atomic(kind, address);
  struct race_access now = {.clock = row_of(thread)->entries[thread->id],
                            .site = site,
                            .lock_set = locks_of(thread),
                            .thread = thread->id,
                            .kind = kind};
  check_bytes(&now, address, size);
  if (atomic && rt->race.on) release_atomic(kind, address);
}

/* An access that is not performed: what it would acquire is forgotten again. */
void races_glance(uint8_t kind, uint64_t address, uint32_t size, site_id site) {
  static uint32_t entries[HEDDLE_MAX_THREADS];
  struct race_row *row = row_of(self());
  const uint32_t length = row->length;
  memcpy(entries, row->entries, length * sizeof *entries);
  if (is_atomic(kind)) acquire_atomic(kind, address);
  struct race_access now = {.clock = row->entries[self()->id],
                            .site = site,
                            .lock_set = locks_of(self()),
                            .thread = self()->id,
                            .kind = kind};
  check_bytes(&now, address, size);
  memset(row->entries + length, 0, (row->length - length) * sizeof *entries);
  memcpy(row->entries, entries, length * sizeof *entries);
  row->length = length;
}

void races_begin_run(void) {
  rt->race.on = rt->channel->options & (RUN_RACES_WARN | RUN_RACES_END);
  if (++rt->race.run == 0) {
    for (uint32_t i = 1; i <= rt->n_granules; i++) rt->race.granules[i].run = 0;
    rt->race.run = 1;
  }
  rt->race.n_clock_words = rt->race.n_accesses = rt->race.n_lock_sets = 1;
  rt->race.free_access = rt->race.section_clock = 0;
  settled_begin_run();
}
