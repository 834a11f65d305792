/* SPDX-License-Identifier: MIT
 *
 * The slow half of the hooks: accesses that are not plainly the running thread's own, and atomic operations.
 *
 * A hook stands before the access it announces. When it returns, the access is the next thing that happens, so a read's
 * value is what is in memory now; a written value is looked at when the thread comes back (trace_complete_value).
 */
#include "accesses.h"
#include "awaits.h"
#include "cycles.h"
#include "ends.h"
#include "memory.h"
#include "repetition.h"
#include "rounds.h"
#include "schedule.h"
#include "settled.h"
#include "sharing.h"
#include "spin.h"
#include "terms.h"
#include "trace.h"
#include "twins.h"

static site_id id_of(const struct site *site) {
  return (site_id)(uint64_t)site;
}

static struct operation access_operation(uint8_t kind, uint64_t address, uint64_t size, const struct site *site) {
  return (struct operation){.kind = kind, .address = address, .size = (uint32_t)size, .site = id_of(site)};
}

/* For crashes: the runtime is about to look at what the program accesses here, after the last call that was announced.
 */
static inline void come_to(struct thread *thread, const struct site *site) {
  thread->at_site = id_of(site);
  thread->called_before = __heddle_site;
}

static inline struct visit visit_of(uint64_t address, uint64_t size, const struct site *site, char *frame) {
  come_to(self(), site);
  const uint64_t value = trace_load(address, (uint32_t)size);
  __asm__ volatile("" : : "r"(value)); /* loaded even if nobody looks at it: if it is not there, this is the crash */
  return (struct visit){{address, value, (uint32_t)size, false}, id_of(site), frame};
}

static void look_for_races(uint8_t kind, uint64_t address, uint64_t size, const struct site *site) {
  if (rt->race.on) races_check(kind, address, (uint32_t)size, id_of(site));
}

/* A plain access. */
static inline void look_for_plain_races(uint8_t kind, uint64_t address, uint64_t size, const struct site *site) {
  if (!rt->race.on) return;
  const bool is_in_granule = size <= 8 - (address & 7) && *shadow_of(address) & SHADOW_RECORD;
  if (is_in_granule && settled_has(kind, address, size, id_of(site))) return;
  races_check(kind, address, (uint32_t)size, id_of(site));
}

/* Another thread may have freed the memory since the access was announced. */
static INLINED void take_turn(struct thread *thread, struct operation operation, bool writes) {
  trace_complete_value(thread);
  thread->operation = operation;
  schedule_in_line(thread, false);
  memory_check(operation.address, operation.size, writes, operation.site);
}

/* It stands before an operation that reads, and perhaps spins or waits. */
static INLINED void come_to_read(struct thread *thread, struct visit visit, uint8_t kind) {
  if (rehearsal_is_on()) rehearsal_read(&visit, kind);
  rounds_before_read(thread, visit);
  if (UNLIKELY(rt->marks_awaits)) awaits_come(thread, &visit, kind);
}

/* The same before one that reads more than a loop is looked at for. */
static void leave_loops(struct thread *thread) {
  rehearsal_check();
  spin_end(thread);
}

static INLINED void perform_read(uint8_t kind, uint64_t address, uint64_t size, const struct site *site, char *frame) {
  take_turn(self(), access_operation(kind, address, size, site), false);
  awaits_leave(self());
  const struct visit visit = visit_of(address, size, site, frame);
  if (size <= 8) spin_after_read(self(), visit);
  struct event *event = trace_record_access(kind, address, (uint32_t)size, id_of(site));
  event->value = visit.read.value;
  event->flags |= EVENT_VALUE_KNOWN;
  if (UNLIKELY(rt->has_twins)) twins_read(event);
  if (kind == EVENT_READ || kind == EVENT_WRITE)
    look_for_plain_races(kind, address, size, site);
  else
    look_for_races(kind, address, size, site);
  access_begins(event, ACCESS_READS);
}

static INLINED void visible_read(uint8_t kind, uint64_t address, uint64_t size, const struct site *site, char *frame) {
  if (size <= 8)
    come_to_read(self(), visit_of(address, size, site, frame), kind);
  else
    leave_loops(self());
  perform_read(kind, address, size, site, frame);
}

static __attribute__((noinline)) void perform_read_of_private(uint8_t kind, uint64_t address, uint64_t size,
                                                              const struct site *site, char *frame) {
  perform_read(kind, address, size, site, frame);
}

static void private_read(uint8_t kind, uint64_t address, uint64_t size, const struct site *site, char *frame) {
  if (!spin_is_watched(self()) || rehearsal_is_on()) return;
  if (self()->is_watched) cycles_note_read(self(), address, size);
  if (rt->trial_wanted) trial_begin();
  if (size > 8) return;
  if (spin_before_private_read(self(), visit_of(address, size, site, frame)))
    perform_read_of_private(kind, address, size, site, frame);
}

static void complete_later(struct thread *thread, const struct event *event) {
  thread->valued_event = event == &rt->events[rt->n_events] ? 0 : rt->n_events;
}

static INLINED void visible_write(uint8_t kind, uint64_t address, uint64_t size, const struct site *site) {
  struct thread *thread = self();
  take_turn(thread, access_operation(kind, address, size, site), true);
  spin_changes(thread);
  come_to(thread, site);
  struct event *event = trace_record_access(kind, address, (uint32_t)size, id_of(site));
  event->before = trace_load(address, (uint32_t)size);
  complete_later(thread, event);
  if (kind == EVENT_READ || kind == EVENT_WRITE)
    look_for_plain_races(kind, address, size, site);
  else
    look_for_races(kind, address, size, site);
  access_begins(event, ACCESS_WRITES);
}

/* Private memory off the stack that is written while the thread is watched for spinning changes its state. */
static void note_private_write(uint64_t address, uint64_t size) {
  struct thread *thread = self();
  if (!spin_is_watched(thread) || (address >= thread->stack_bottom && address < thread->stack_top)) return;
  spin_changes(thread);
  if (thread->is_watched) rounds_note_write(thread, address, size);
}

/* All the bytes are known to be shared: the access is a visible operation, and nothing else is to be noted of it. */
static inline bool is_known_to_be_shared(uint64_t address, uint64_t size) {
  const uint64_t word = *shadow_of(address);
  if (!(word & SHADOW_RECORD) || size > 8 - (address & 7) || !sharing_is_possible()) return false;
  const unsigned bytes = ((1u << size) - 1) << (address & 7);
  if (~rt->granules[word & ~SHADOW_RECORD].shared & bytes) return false;
  return !UNLIKELY(rt->is_conditional) || !touches_are_compared();
}

static inline bool touch(uint64_t address, uint64_t size, bool writes) {
  return is_known_to_be_shared(address, size) || sharing_touch(address, size, writes);
}

static __attribute__((noinline)) void hidden_read(uint8_t kind, uint64_t address, uint64_t size,
                                                  const struct site *site, char *frame) {
  memory_check(address, size, false, id_of(site));
  private_read(kind, address, size, site, frame);
}

static __attribute__((noinline)) void hidden_write(uint64_t address, uint64_t size, const struct site *site) {
  memory_check(address, size, true, id_of(site));
  note_private_write(address, size);
}

/* What is shared is learned first: an access that turns out to be wrong shows what it is shared with all the same. */
static INLINED void read_memory(uint8_t kind, const void *pointer, uint64_t size, const struct site *site,
                                char *frame) {
  const uint64_t address = (uint64_t)pointer;
  if (touch(address, size, false))
    visible_read(kind, address, size, site, frame);
  else
    hidden_read(kind, address, size, site, frame);
}

static INLINED void write_memory(uint8_t kind, void *pointer, uint64_t size, const struct site *site) {
  const uint64_t address = (uint64_t)pointer;
  if (rehearsal_is_on()) {
    rehearsal_write(address, size);
    return;
  }
  if (touch(address, size, true))
    visible_write(kind, address, size, site);
  else
    hidden_write(address, size, site);
}

/* Before a read of a value, as opposed to one of bytes that are only copied: they may be undefined. */
static void look_for_undefined(const void *address, uint64_t size, const struct site *site) {
  if (memory_is_heap((uint64_t)address) && memory_is_undefined((uint64_t)address, size))
    memory_warn_of_undefined((uint64_t)address, size, id_of(site));
}

void accesses_glance(uint8_t kind, uint64_t address, uint64_t size, site_id site) {
  if (kind == EVENT_READ || kind == EVENT_ATOMIC_READ)
    look_for_undefined((const void *)address, size, (const struct site *)(uint64_t)site);
  if (rt->race.on) races_glance(kind, address, (uint32_t)size, site);
}

static bool is_owned(const void *address, uint64_t size, unsigned shift) {
  return shadow_owned(*shadow_of((uint64_t)address), __heddle_owner, (uint64_t)address, size, shift);
}

static inline uint32_t term_at(const void *address, uint64_t size) {
  return __heddle_terms_in_memory ? term_memory_load((uint64_t)address, size) : 0;
}

/* Functions of their own, and the last that theirs call: those return at once when there is nothing to do. */
static __attribute__((noinline)) uint32_t read_value(const void *address, uint64_t size, const struct site *site) {
  read_memory(EVENT_READ, address, size, site, SPIN_FRAME());
  look_for_undefined(address, size, site);
  return term_at(address, size);
}

static __attribute__((noinline)) void write_value(void *address, uint64_t size, const struct site *site) {
  write_memory(EVENT_WRITE, address, size, site);
  if (__heddle_terms_in_memory) term_memory_clear((uint64_t)address, size);
}

/* The fast half knows eight bytes at a time; here it is the bytes in question. Bytes with terms are never owned, nor
 * are those that have a record. */
EXPORTED uint32_t __heddle_slow_read(const void *address, uint64_t size, const struct site *site) {
  const bool has_record = *shadow_of((uint64_t)address) & SHADOW_RECORD;
  return !has_record && is_owned(address, size, 0) ? 0 : read_value(address, size, site);
}

EXPORTED void __heddle_slow_write(void *address, uint64_t size, const struct site *site) {
  const bool has_record = *shadow_of((uint64_t)address) & SHADOW_RECORD;
  if (has_record || !is_owned(address, size, SHADOW_WRITTEN_SHIFT)) write_value(address, size, site);
}

EXPORTED void __heddle_slow_range(const void *address, uint64_t size, const struct site *site, int writes) {
  if (!size) return;
  if (!writes) {
    read_memory(EVENT_READ, address, size, site, SPIN_FRAME());
    return;
  }
  write_memory(EVENT_WRITE, (void *)address, size, site);
  term_memory_set_aside((uint64_t)address, size);
}

static bool is_shared(uint64_t address, uint64_t size) {
  for (uint64_t granule = address & ~7ull; granule < address + size; granule += 8) {
    const struct granule *record = sharing_record_at(granule);
    if (record && record->shared) return true;
  }
  return false;
}

/* Each thread has a place of its own to keep what the read of a copy has read. */
EXPORTED void *__heddle_slow_hold(const void *pointer, uint64_t size) {
  const uint64_t address = (uint64_t)pointer, held = HELD_ADDRESS + self()->id * HELD_BYTES;
  if (!sharing_is_possible() || !is_shared(address, size)) return (void *)address;
  if (size > HELD_BYTES) finish_at_limit("a copy of more than 16 MB of memory that threads share");
  memcpy((void *)held, pointer, size);
  term_memory_copy(held, address, size);
  return (void *)held;
}

EXPORTED uint32_t __heddle_slow_atomic_read(const void *address, uint64_t size, const struct site *site) {
  read_memory(EVENT_ATOMIC_READ, address, size, site, SPIN_FRAME());
  look_for_undefined(address, size, site);
  return term_memory_load((uint64_t)address, size);
}

EXPORTED void __heddle_slow_atomic_write(void *address, uint64_t size, const struct site *site) {
  write_memory(EVENT_ATOMIC_WRITE, address, size, site);
  term_memory_clear((uint64_t)address, size);
}

static __attribute__((noinline)) void end_rehearsal(uint8_t kind, uint64_t address, uint64_t size,
                                                    const struct site *site, char *frame) {
  if (size > 8) rehearsal_end();
  const struct visit visit = visit_of(address, size, site, frame);
  rehearsal_read(&visit, kind);
}

/* Whether an update or compare-and-exchange is a visible operation. One on private memory may be the attempt of a spin
 * loop all the same. */
static bool attempt_is_visible(uint8_t kind, uint64_t address, uint64_t size, bool may_change, const struct site *site,
                               char *frame) {
  struct thread *thread = self();
  const bool looks = size <= 8;
  if (rehearsal_is_on()) end_rehearsal(kind, address, size, site, frame);
  memory_check(address, size, true, id_of(site));
  if (thread->has_joined) sharing_touch(address, size, false); /* it reads, too */
  if (sharing_touch(address, size, true)) {
    if (looks)
      come_to_read(thread, visit_of(address, size, site, frame), kind);
    else
      leave_loops(thread);
    return true;
  }
  if (!spin_is_watched(thread)) return false;
  if (rt->trial_wanted) trial_begin();
  if (looks && !may_change) return spin_before_private_read(thread, visit_of(address, size, site, frame));
  note_private_write(address, size);
  return false;
}

/* The term of the old value; the new one's comes with the store. */
static uint32_t take_term(uint64_t address, uint64_t size) {
  const uint32_t term = term_memory_load(address, size);
  term_memory_clear(address, size);
  return term;
}

EXPORTED uint32_t __heddle_slow_atomic_update(void *pointer, uint64_t size, const struct site *site) {
  char *frame = SPIN_FRAME();
  const uint64_t address = (uint64_t)pointer;
  if (!attempt_is_visible(EVENT_ATOMIC_UPDATE, address, size, true, site, frame)) return take_term(address, size);
  struct thread *thread = self();
  take_turn(thread, access_operation(EVENT_ATOMIC_UPDATE, address, size, site), true);
  awaits_leave(thread);
  if (size <= 8) {
    const struct visit visit = visit_of(address, size, site, frame);
    spin_after_read(thread, visit);
    thread->spin.update = visit.read;
  }
  struct event *event = trace_record_access(EVENT_ATOMIC_UPDATE, address, (uint32_t)size, id_of(site));
  event->before = trace_load(address, (uint32_t)size);
  complete_later(thread, event);
  look_for_races(EVENT_ATOMIC_UPDATE, address, size, site);
  access_begins(event, ACCESS_READS | ACCESS_WRITES);
  return take_term(address, size);
}

static bool holds_expected(uint64_t address, uint64_t size, uint64_t low, uint64_t high) {
  if (size <= 8) return trace_load(address, (uint32_t)size) == low;
  return trace_load(address, 8) == low && trace_load(address + 8, 8) == high;
}

EXPORTED uint32_t __heddle_slow_compare_exchange(void *pointer, uint64_t size, uint64_t low, uint64_t high,
                                                 const struct site *site) {
  char *frame = SPIN_FRAME();
  const uint64_t address = (uint64_t)pointer;
  struct thread *thread = self();
  const bool will_change = holds_expected(address, size, low, high);
  if (!attempt_is_visible(EVENT_ATOMIC_EXCHANGE_DONE, address, size, will_change, site, frame))
    return will_change ? take_term(address, size) : term_memory_load(address, size);
  struct operation operation = access_operation(EVENT_ATOMIC_EXCHANGE_DONE, address, size, site);
  operation.expected = low;
  take_turn(thread, operation, true);
  awaits_leave(thread);
  if (holds_expected(address, size, low, high)) {
    spin_changes(thread);
    struct event *event = trace_record_access(EVENT_ATOMIC_EXCHANGE_DONE, address, (uint32_t)size, id_of(site));
    event->before = low;
    complete_later(thread, event);
    look_for_races(EVENT_ATOMIC_EXCHANGE_DONE, address, size, site);
    access_begins(event, ACCESS_READS | ACCESS_WRITES);
    return take_term(address, size);
  }
  if (size <= 8) spin_after_read(thread, visit_of(address, size, site, frame));
  struct event *event = trace_record_access(EVENT_ATOMIC_EXCHANGE_FAILED, address, (uint32_t)size, id_of(site));
  event->value = trace_load(address, (uint32_t)size);
  event->before = low;
  event->flags |= EVENT_VALUE_KNOWN;
  look_for_races(EVENT_ATOMIC_EXCHANGE_FAILED, address, size, site);
  access_begins(event, ACCESS_READS);
  return term_memory_load(address, size);
}

/* ---- atomic sections: they nest, and the outermost end ends them ---- */

EXPORTED void __heddle_slow_section_enter(const struct site *site) {
  struct thread *thread = self();
  rehearsal_check();
  thread->section_depth++;
  if (rt->section_owner == thread->id || !sharing_is_possible()) return;
  schedule_operation((struct operation){.kind = EVENT_SECTION_ENTER, .site = id_of(site)});
  trace_record(EVENT_SECTION_ENTER, 0, 0, id_of(site));
  set_section_owner(thread->id);
  races_enter_section();
}

EXPORTED void __heddle_slow_section_leave(const struct site *site) {
  struct thread *thread = self();
  rehearsal_check();
  if (thread->section_depth == 0 || --thread->section_depth > 0 || rt->section_owner != thread->id) return;
  trace_complete_value(self());
  set_section_owner(NO_THREAD);
  races_leave_section();
  trace_record(EVENT_SECTION_LEAVE, 0, 0, id_of(site));
}
