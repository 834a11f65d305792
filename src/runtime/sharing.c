/* SPDX-License-Identifier: MIT
 *
 * Which memory is shared is learned: a byte is shared when two threads touch it, one of them writing, and neither
 * access is before the other by thread creation and joining. Accesses to shared bytes are visible operations in this
 * and every later run; all others are not.
 *
 * Order by creation and joining: a thread's life is cut into segments at its thread creations. clocks[t][u] is the
 * index of the last segment of u that ended before t's present: a child inherits its parent's row, a join takes the
 * maximum.
 *
 * The first segment to touch 8 bytes in a run owns them (shadow word, abi/layout.h), and its accesses take the fast
 * path of hooks.c. A second one makes a granule record, which remembers per byte the last writer and the readers since.
 */
#include "sharing.h"
#include "additions.h"
#include "ends.h"
#include "frames.h"
#include "repetition.h"
#include "spin.h"
#include "terms.h"

#include <sys/mman.h>

#define MOST_NOTED_BYTES 256
#define OWNER_BYTES 0xffffull
#define LARGE_PAGE (2ull << 20)
#define MANY_READERS SHADOW_MAX_SEGMENT /* in place of a segment: several threads have read, none has written */
#define EXACT_GRANULES (MAX_GRANULES / 8)
#define INITIAL_SEGMENT 1u /* of main, before it creates a thread: before all that another thread does */

static uint64_t owner_word(uint32_t segment) {
  return (uint64_t)rt->run << SHADOW_RUN_SHIFT | (uint64_t)segment << SHADOW_SEGMENT_SHIFT;
}

/* A shadow word with the bits of bytes that hold terms, which are kept elsewhere. */
static uint64_t word_at(uint64_t granule) {
  const uint64_t word = *shadow_of(granule);
  return __heddle_terms_in_memory && !(word & SHADOW_RECORD) ? word | term_memory_hidden(granule) : word;
}

static void set_word(uint64_t granule, uint64_t word) {
  *shadow_of(granule) = __heddle_terms_in_memory ? term_memory_hide(granule, word) : word;
}

void sharing_hide(uint64_t granule) {
  set_word(granule, word_at(granule));
}

INLINED void sharing_set_owner(const struct thread *thread) {
  /* Run 0 owns nothing: a thread watched for spinning always takes the slow path, and one whose touches count only
   * after the plan's steps. */
  const bool is_slow = spin_is_watched(thread) || (rt->is_conditional && rt->plan->flags & PLAN_TOUCHES);
  __heddle_owner = UNLIKELY(is_slow) ? OWNER_BYTES : owner_word(thread->segment) | OWNER_BYTES;
}

/* ---- order by creation and joining ---- */

static void start_segment(struct thread *thread, uint16_t index) {
  /* When segments run out, the last one stands for all further ones: fewer orders are known, more bytes are shared. */
  if (rt->n_segments < MAX_SEGMENTS - 1) rt->n_segments++;
  rt->segments[rt->n_segments] = (struct segment){thread->id, index};
  rt->clocks[thread->id][thread->id] = index;
  thread->segment = rt->n_segments;
}

void sharing_new_segment(struct thread *thread) {
  const uint16_t index = rt->segments[thread->segment].index;
  start_segment(thread, index == UINT16_MAX ? index : (uint16_t)(index + 1));
  sharing_set_owner(thread);
}

void sharing_new_thread(struct thread *parent, struct thread *child) {
  const uint32_t known = atomic_load_explicit(&rt->knowledge->n_threads, memory_order_relaxed);
  if (parent)
    memcpy(rt->clocks[child->id], rt->clocks[parent->id], known * sizeof(uint16_t));
  else
    memset(rt->clocks[child->id], 0, known * sizeof(uint16_t));
  start_segment(child, 1);
  if (touches_may_be_compared()) touches_new_thread(child->id);
  races_new_thread(parent, child);
}

void sharing_be_born_with(const struct thread *thread, const struct thread *first, const struct thread *parent) {
  rt->clocks[thread->id][parent->id] = rt->clocks[first->id][parent->id];
}

void sharing_learn_from(const struct thread *joiner, const struct thread *ended) {
  /* What the joiner reads of the ended thread's work is data flow between threads, to be seen as such. */
  if (reads_are_symbolic()) return;
  const uint32_t known = atomic_load_explicit(&rt->knowledge->n_threads, memory_order_relaxed);
  uint16_t *mine = rt->clocks[joiner->id];
  const uint16_t *theirs = rt->clocks[ended->id];
  for (uint32_t i = 0; i < known; i++) mine[i] = theirs[i] > mine[i] ? theirs[i] : mine[i];
}

bool sharing_is_before(uint32_t segment, thread_id thread) {
  const struct segment *s = &rt->segments[segment];
  return s->thread == thread || s->index <= rt->clocks[thread][s->thread];
}

static bool is_before_now(uint32_t segment, const struct thread *thread) {
  return sharing_is_before(segment, thread->id);
}

/* ---- looking at what joined threads did ---- */

void sharing_saw(const struct thread *joined) {
  if (joined->join_event) rt->events[joined->join_event - 1].flags |= EVENT_SEEN;
}

static bool is_joined_by(const struct thread *joined, const struct thread *thread) {
  return joined->state != ABSENT && joined->joined && joined->joiner == thread->id;
}

void sharing_saw_joined(void) {
  if (!self()->has_joined) return;
  for (uint32_t i = 0; i <= rt->highest_thread; i++)
    if (is_joined_by(&rt->threads[i], self())) sharing_saw(&rt->threads[i]);
}

/* It reads what this segment wrote: because of which joined thread it may? */
static void note_seen(uint32_t segment, const struct thread *thread) {
  const struct segment *s = &rt->segments[segment];
  if (!thread->has_joined || s->thread == thread->id) return;
  if (is_joined_by(&rt->threads[s->thread], thread)) {
    sharing_saw(&rt->threads[s->thread]);
    return;
  }
  for (uint32_t i = 0; i <= rt->highest_thread; i++)
    if (is_joined_by(&rt->threads[i], thread) && rt->clocks[i][s->thread] >= s->index) sharing_saw(&rt->threads[i]);
}

/* ---- granule records ---- */

/* What this process has known for long is found out anew: its record is lost, and only the program can have done it. */
static void check_known(const struct granule *granule, uint32_t place) {
  if (place < rt->n_loaded_shared && !(granule->shared & ~rt->knowledge->shared[place].mask))
    finish_run_with_message(OUTCOME_MEMORY_MISUSE, self()->at_site, granule->address,
                            "the program has written over memory that belongs to heddle");
}

static void write_shared(uint32_t place, uint64_t address, uint8_t mask) {
  struct knowledge *knowledge = rt->knowledge;
  knowledge->shared[place] = (struct shared_granule){address, mask};
  knowledge->seal += sealed_shared(place, knowledge->shared[place], knowledge->cuts[place]);
}

/* The trace of this run will have the next version. */
static void note_version(struct granule *granule, uint32_t place, uint8_t before) {
  const uint32_t version = (uint32_t)rt->knowledge->version + 1;
  for (unsigned i = 0; i < 8; i++)
    if ((granule->shared & ~before) >> i & 1) granule->since[i] = rt->knowledge->since[place][i] = version;
  rt->newest_shared = version;
}

static void announce_shared(struct granule *granule) {
  struct knowledge *knowledge = rt->knowledge;
  const uint32_t count = atomic_load_explicit(&knowledge->n_shared, memory_order_relaxed);
  for (uint32_t i = 0; i < count; i++)
    if (knowledge->shared[i].address == granule->address) check_known(granule, i);
  rt->shared_grew = true;
  for (uint32_t i = 0; i < count; i++)
    if (knowledge->shared[i].address == granule->address) {
      knowledge->seal -= sealed_shared(i, knowledge->shared[i], knowledge->cuts[i]);
      note_version(granule, i, (uint8_t)knowledge->shared[i].mask);
      write_shared(i, granule->address, granule->shared);
      additions_granule_grew(i);
      trial_found_sharing();
      return;
    }
  if (count == MAX_SHARED) {
    knowledge->overflow = 1;
    return;
  }
  knowledge->cuts[count] = 0; /* runs whose traces were lost may have left some */
  note_version(granule, count, 0);
  write_shared(count, granule->address, granule->shared);
  /* release: the entry is written before it is counted */
  atomic_store_explicit(&knowledge->n_shared, count + 1, memory_order_release);
  rt->n_loaded_shared = count + 1;
  trial_found_sharing();
}

/* NULL when there is no room for another. */
static struct granule *new_granule(uint64_t address) {
  if (rt->n_granules == MAX_GRANULES - 1) {
    rt->knowledge->overflow = 1;
    return NULL;
  }
  struct granule *granule = &rt->granules[++rt->n_granules];
  *granule = (struct granule){.address = address};
  set_word(address, SHADOW_RECORD | rt->n_granules);
  return granule;
}

static uint32_t segment_in(uint64_t word) {
  return word >> SHADOW_SEGMENT_SHIFT & SHADOW_MAX_SEGMENT;
}

/* Somebody touched the bytes in this run, and not before everything that other threads do. */
static bool is_of_this_run(uint64_t word) {
  return word >> SHADOW_RUN_SHIFT == rt->run && segment_in(word) != INITIAL_SEGMENT;
}

/* Turns what a shadow word says into a record. */
static struct granule *make_record(uint64_t address, uint64_t word) {
  struct granule *granule = new_granule(address);
  if (!granule) return NULL;
  granule->run = rt->run;
  granule->alike = 0;
  const uint32_t segment = segment_in(word);
  for (int i = 0; i < 8; i++) {
    struct byte_history *byte = &granule->bytes[i];
    if (!(word >> i & 1)) continue;
    byte->more_readers = segment == MANY_READERS;
    byte->readers[0] = segment == MANY_READERS ? 0 : segment;
    if (word >> (i + SHADOW_WRITTEN_SHIFT) & 1) byte->writer = segment;
  }
  return granule;
}

/* All that the other threads have done is before what this one does now. */
static bool is_alone(const struct thread *thread) {
  for (uint32_t i = 0; i <= rt->highest_thread; i++) {
    const struct thread *other = &rt->threads[i];
    if (other->state == ABSENT || other == thread || other->is_made) continue;
    if (rt->clocks[thread->id][i] < rt->segments[other->segment].index) return false;
  }
  return true;
}

bool sharing_is_alone(void) {
  return !sharing_is_possible() || is_alone(self());
}

static bool reads_conflict(const struct byte_history *byte, const struct thread *thread) {
  if (byte->more_readers && !is_alone(thread)) return true;
  for (int i = 0; i < 2; i++)
    if (byte->readers[i] && !is_before_now(byte->readers[i], thread)) return true;
  return false;
}

static void add_reader(struct byte_history *byte, const struct thread *thread) {
  for (int i = 0; i < 2; i++) {
    if (byte->readers[i] && !is_before_now(byte->readers[i], thread)) continue;
    byte->readers[i] = thread->segment;
    return;
  }
  byte->more_readers = true;
}

/* Notes the access in one byte's history; true if it conflicts with an unordered earlier one. */
static bool touch_byte(struct byte_history *byte, const struct thread *thread, bool writes) {
  const bool written_meanwhile = byte->writer && !is_before_now(byte->writer, thread);
  if (!writes) {
    if (byte->writer) note_seen(byte->writer, thread);
    add_reader(byte, thread);
    return written_meanwhile;
  }
  const bool conflict = written_meanwhile || reads_conflict(byte, thread);
  *byte = (struct byte_history){.writer = thread->segment};
  return conflict;
}

/* The access before was of the same segment and bytes, and wrote: nothing more is to be noted. The last segment may be
 * that of several threads. */
static bool is_noted(const struct granule *granule, unsigned bytes) {
  const uint32_t segment = self()->segment;
  return granule->last_writer == segment && !(bytes & ~granule->last_bytes) && segment < MAX_SEGMENTS - 1;
}

/* From here on each byte has a history of its own. */
static void tell_apart(struct granule *granule) {
  const struct byte_history common = granule->bytes[0];
  for (unsigned i = 0; i < 8; i++)
    granule->bytes[i] = granule->alike >> i & 1 ? common : (struct byte_history){.writer = 0};
  granule->alike = 0;
}

static unsigned touch_histories(struct granule *granule, unsigned bytes, bool writes) {
  if (granule->alike == bytes) return touch_byte(&granule->bytes[0], self(), writes) ? bytes : 0;
  if (granule->alike) tell_apart(granule);
  unsigned conflicts = 0;
  for (int i = 0; i < 8; i++)
    if (bytes >> i & 1 && touch_byte(&granule->bytes[i], self(), writes)) conflicts |= 1u << i;
  return conflicts;
}

static __attribute__((noinline)) bool touch_private_bytes(struct granule *granule, unsigned bytes, bool writes) {
  if (granule->run != rt->run) {
    granule->run = rt->run;
    granule->alike = (uint8_t)bytes;
    granule->bytes[0] = (struct byte_history){.writer = 0};
  } else if (is_noted(granule, bytes)) {
    return granule->shared & bytes;
  }
  granule->last_writer = writes ? self()->segment : 0;
  granule->last_bytes = (uint8_t)bytes;
  const unsigned conflicts = touch_histories(granule, bytes, writes);
  if (conflicts & ~granule->shared) {
    granule->shared |= (uint8_t)conflicts;
    announce_shared(granule);
  }
  return granule->shared & bytes;
}

static inline bool touch_record(struct granule *granule, unsigned bytes, bool writes) {
  return (granule->shared & bytes) == bytes || touch_private_bytes(granule, bytes, writes);
}

/* For programs that use very much memory from several threads: no record, but less exact. What an ordered predecessor
 * did is counted as this segment's own, and who read is forgotten when several threads did. It can only find more
 * sharing. */
static bool touch_coarsely(uint64_t address, uint64_t word, uint64_t touched, bool ordered) {
  if (ordered) {
    if (!(touched >> SHADOW_WRITTEN_SHIFT) && segment_in(word) != MANY_READERS) note_seen(segment_in(word), self());
    set_word(address, owner_word(self()->segment) | (word & OWNER_BYTES) | touched);
    return false;
  }
  const bool writes = touched >> SHADOW_WRITTEN_SHIFT;
  if (!writes && !(word >> SHADOW_WRITTEN_SHIFT & 0xff)) {
    set_word(address, owner_word(MANY_READERS) | (word & OWNER_BYTES) | touched);
    return false;
  }
  struct granule *granule = make_record(address, word);
  return granule && touch_record(granule, touched & 0xff, writes);
}

/* Another segment, or several, touched these bytes in this run. */
static bool touch_after_others(uint64_t address, unsigned bytes, bool writes) {
  const uint64_t word = word_at(address);
  const uint64_t touched = bytes | (writes ? bytes << SHADOW_WRITTEN_SHIFT : 0);
  if (word & SHADOW_RECORD) return touch_record(&rt->granules[word & ~SHADOW_RECORD], bytes, writes);
  /* An earlier owner all of whose accesses are before this one need not be remembered, unless this one only reads what
   * it wrote (a third thread may conflict with that write) or leaves out some of its bytes. */
  const uint32_t segment = segment_in(word);
  const bool ordered = segment == MANY_READERS ? is_alone(self()) : is_before_now(segment, self());
  const bool covers = !(word & 0xff & ~bytes);
  const bool forgets_write = !writes && word >> SHADOW_WRITTEN_SHIFT & 0xff;
  if (ordered && covers && !forgets_write) {
    set_word(address, owner_word(self()->segment) | touched);
    return false;
  }
  if (rt->n_granules >= EXACT_GRANULES) return touch_coarsely(address, word, touched, ordered);
  return touch_record(make_record(address, word), bytes, writes);
}

static bool touch_bytes(uint64_t address, uint64_t size, bool writes) {
  const uint64_t owner = owner_word(self()->segment);
  const bool everywhere = touches_are_compared() && sharing_is_possible();
  bool visible = false;
  while (size > 0) {
    const uint64_t granule = address & ~7ull;
    const unsigned first = address & 7;
    const unsigned count = size < 8 - first ? (unsigned)size : 8 - first;
    const unsigned bytes = ((1u << count) - 1) << first;
    const uint64_t touched = bytes | (writes ? bytes << SHADOW_WRITTEN_SHIFT : 0);
    const uint64_t word = word_at(granule);
    if ((word & ~OWNER_BYTES) == owner)
      set_word(granule, word | touched);
    else if (!(word & SHADOW_RECORD) && !is_of_this_run(word))
      set_word(granule, owner | touched);
    else if (sharing_is_possible())
      visible |= touch_after_others(granule, bytes, writes);
    if (everywhere) visible |= touches_note(granule, bytes, writes);
    address += count;
    size -= count;
  }
  return visible;
}

/* In most cases it is one granule, which nobody has touched yet in this run, or which has a record. */
bool sharing_touch(uint64_t address, uint64_t size, bool writes) {
  uint64_t *shadow = shadow_of(address);
  const bool is_plain = size <= 8 - (address & 7) && size > 0 && !rt->is_conditional && !__heddle_terms_in_memory;
  if (!is_plain) return touch_bytes(address, size, writes);
  const unsigned bytes = ((1u << size) - 1) << (address & 7);
  if (*shadow & SHADOW_RECORD) return sharing_is_possible() && touch_after_others(address & ~7ull, bytes, writes);
  if (*shadow >> SHADOW_RUN_SHIFT == rt->run) return touch_bytes(address, size, writes);
  *shadow = owner_word(self()->segment) | bytes | (writes ? bytes << SHADOW_WRITTEN_SHIFT : 0);
  return false;
}

/* Over all runs with symbolic reads: the other thread may use the block in a run in which this one does not free it. Of
 * a large block the beginning is noted, so that the table lasts. */
static bool note_freed(uint64_t address, uint64_t size) {
  bool visible = false;
  const uint64_t end = address + (size < MOST_NOTED_BYTES ? size : MOST_NOTED_BYTES);
  if (!reads_are_symbolic()) return false;
  for (uint64_t granule = address & ~7ull; granule < end; granule += 8)
    visible |= touches_note(granule, granule_bytes(granule, address, size), true);
  return visible;
}

bool sharing_touch_block(uint64_t address, uint64_t size) {
  const uint64_t owner = owner_word(self()->segment);
  bool visible = false;
  if (!sharing_is_possible()) return false;
  for (uint64_t granule = address & ~7ull; granule < address + size; granule += 8) {
    const uint64_t word = word_at(granule);
    const bool is_touched = word & SHADOW_RECORD || (is_of_this_run(word) && (word & ~OWNER_BYTES) != owner);
    if (is_touched) visible |= touch_after_others(granule, granule_bytes(granule, address, size), true);
  }
  return note_freed(address, size) || visible;
}

bool sharing_touch_used(uint64_t address, uint64_t size) {
  bool visible = false;
  for (uint64_t granule = address & ~7ull; granule < address + size; granule += 8) {
    const uint64_t word = *shadow_of(granule);
    if (word & SHADOW_RECORD || word >> SHADOW_RUN_SHIFT == rt->run) visible |= sharing_touch(granule, 8, true);
  }
  return visible;
}

void sharing_forget(uint64_t address, uint64_t size) {
  for (uint64_t granule = address & ~7ull; granule < address + size; granule += 8) {
    const uint64_t word = word_at(granule);
    if (word && !(word & SHADOW_RECORD)) set_word(granule, 0);
  }
}

struct granule *sharing_record_at(uint64_t address) {
  const uint64_t word = *shadow_of(address);
  return word & SHADOW_RECORD ? &rt->granules[word & ~SHADOW_RECORD] : NULL;
}

struct granule *sharing_make_record(uint64_t address) {
  struct granule *granule = sharing_record_at(address);
  const uint64_t word = word_at(address);
  return granule ? granule : make_record(address, is_of_this_run(word) ? word : 0);
}

void sharing_make_shared(uint64_t address, uint64_t size) {
  for (uint64_t byte = address; byte < address + size; byte++) {
    const uint64_t place = byte & ~7ull;
    const uint64_t word = word_at(place);
    struct granule *granule = word & SHADOW_RECORD ? &rt->granules[word & ~SHADOW_RECORD] : make_record(place, word);
    if (!granule || granule->shared >> (byte & 7) & 1) continue;
    granule->shared |= (uint8_t)(1u << (byte & 7));
    announce_shared(granule);
  }
}

void sharing_expect_much(uint64_t address, uint64_t size) {
  const uint64_t first = (uint64_t)shadow_of(address + LARGE_PAGE - 1) & ~(LARGE_PAGE - 1);
  const uint64_t last = (uint64_t)shadow_of(address + size) & ~(LARGE_PAGE - 1);
  /* A forked run would copy a large page for every byte it writes. */
  if (first >= last || rt->channel->isolation == ISOLATION_FORK) return;
  system_call(SYS_madvise, first, last - first, MADV_HUGEPAGE);
}

static void load_versions(struct granule *granule, const uint32_t since[8]) {
  for (unsigned i = 0; i < 8; i++) {
    granule->since[i] = since[i];
    if (since[i] > rt->newest_shared) rt->newest_shared = since[i];
  }
}

bool sharing_makes_visible(uint64_t address, uint64_t size) {
  bool any = false;
  for (uint64_t place = address & ~7ull; place < address + size; place += 8) {
    const struct granule *granule = sharing_record_at(place);
    const unsigned shared = granule ? granule->shared & granule_bytes(place, address, size) : 0;
    for (unsigned i = 0; i < 8; i++) {
      if (!(shared >> i & 1)) continue;
      if (granule->since[i] < rt->plan->seen) return false;
      any = true;
    }
  }
  return any;
}

void sharing_load_knowledge(void) {
  /* acquire: pairs with the release of announce_shared in another executor */
  const uint32_t count = atomic_load_explicit(&rt->knowledge->n_shared, memory_order_acquire);
  for (uint32_t i = 0; i < count; i++) {
    const struct shared_granule *shared = &rt->knowledge->shared[i];
    const uint64_t word = *shadow_of(shared->address);
    struct granule *granule =
        word & SHADOW_RECORD ? &rt->granules[word & ~SHADOW_RECORD] : new_granule(shared->address);
    if (!granule) continue;
    granule->shared = (uint8_t)shared->mask;
    granule->cuts = rt->knowledge->cuts[i];
    load_versions(granule, rt->knowledge->since[i]);
  }
  rt->n_loaded_shared = count;
}

/* Before the numbers of runs start again, forgets every owner. */
static void clear_shadow(void) {
  system_call(SYS_madvise, SHADOW_ADDRESS, SHADOW_BYTES, MADV_DONTNEED);
  for (uint32_t i = 1; i <= rt->n_granules; i++) {
    rt->granules[i].run = 0;
    *shadow_of(rt->granules[i].address) = SHADOW_RECORD | i;
  }
  for (uint32_t i = 0; i < MAX_OBJECTS; i++) rt->objects[i].run = 0;
  rt->run = 0;
}

void sharing_begin_run(void) {
  if (rt->run == SHADOW_MAX_RUN) clear_shadow();
  rt->run++;
  rt->n_segments = 0;
  rt->shared_grew = rt->trial = rt->trial_wanted = rt->trial_found = false;
  frames_begin_run();
  __heddle_in_run = 1;
}
