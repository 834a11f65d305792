/* SPDX-License-Identifier: MIT
 *
 * Spin loops. A thread that reaches the same read a third time, its registers and stack unchanged, nothing written and
 * nothing unknown called in between, and the same values read, will continue like that forever unless one of these
 * values changes. It is parked until one does.
 *
 *     first read     remember place, address, value
 *     second read    same, and no progress: copy the stack, and from here on let every access of this thread take the
 *                    slow path, so that writes to private memory count as progress; collect what is read
 *     third time     same place, no progress, same stack: park, before the read
 *
 * A loop that counts its tries up to some number and starts over has the same state after that many rounds. So marks of
 * the states at earlier visits of the place are kept, and all that was read since the first of them: when a state comes
 * again, the thread repeats the rounds since then forever. A mark is a sum of 128 bits.
 *
 * What is remembered is what was read, when it was. So whether a thread is parked depends on its own past alone, and
 * whether it can move on the values there are: runs that differ in the order of steps that commute are alike in this
 * too.
 *
 * An atomic update that leaves the value as it was (a test-and-set of a taken lock) is a read in this sense; whether it
 * did is seen when the thread comes back, before anybody else can have moved.
 *
 * A loop over memory that is not known to be shared yet makes no visible operation. When a thread has not reached one
 * for some milliseconds, it is suspected: its accesses take the slow path for a while, and reads of private memory are
 * treated like the others. If it spins on them, only another thread can end that: they are shared. A loop that makes a
 * visible read is looked at there, and nowhere else.
 *
 * Exact: the state of the thread is compared, not guessed. A loop that counts its tries without starting over ends by
 * itself, and is never parked. Loops that also write, or take locks, are in rounds.c.
 */
#include "spin.h"
#include "awaits.h"
#include "memory.h"
#include "sharing.h"
#include "trace.h"

#define SUSPECTED_ACCESSES 4096u

/* A copy of a visit, for a function that is not inlined: whoever calls it now and then need not have the visit in
 * memory always. */
#define VISIT_MEMBERS(visit) (visit)->read, (visit)->site, (visit)->frame

static __attribute__((noinline)) void stop_watching(struct thread *thread) {
  thread->spin.armed = false;
  sharing_set_owner(thread);
}

static inline void disarm(struct thread *thread) {
  if (UNLIKELY(thread->spin.armed)) stop_watching(thread);
}

INLINED void spin_changes(struct thread *thread) {
  thread->progress++;
  disarm(thread);
}

INLINED void spin_end(struct thread *thread) {
  thread->unrepeatable++;
  spin_changes(thread);
}

static __attribute__((noinline)) void look_at_update(struct thread *thread) {
  struct watched *update = &thread->spin.update;
  uint64_t value;
  if (!trace_peek(update->address, update->size, &value) || value != update->value) thread->progress++;
  update->size = 0;
}

static bool is_same_place(const struct visit *a, const struct visit *b) {
  return a->site == b->site && a->frame == b->frame && a->read.address == b->read.address &&
         a->read.size == b->read.size;
}

static uint64_t state_bytes(const struct thread *thread, const struct visit *visit) {
  return thread->state_top - (uint64_t)visit->frame;
}

/* There is room for its state. */
static bool is_small(const struct thread *thread, const struct visit *visit) {
  return thread->stack_top - (uint64_t)visit->frame <= SPIN_STATE_BYTES;
}

static inline void add_to_mark(struct state_mark *mark, uint64_t word) {
  mark->low = (mark->low ^ word) * 0xff51afd7ed558ccdull;
  mark->low ^= mark->low >> 32;
  mark->high = (mark->high + word) * 0xc4ceb9fe1a85ec53ull;
  mark->high ^= mark->high >> 29;
}

/* Two sums, each of which depends on every bit of every word. Four marks take turns, so that none waits for the one
 * before. */
struct state_mark spin_state_mark(const struct thread *thread, const struct visit *visit) {
  const uint64_t *words = (const uint64_t *)visit->frame, *end = words + state_bytes(thread, visit) / 8;
  struct state_mark a = {1, 2}, b = {3, 4}, c = {5, 6}, d = {7, 8};
  for (; end - words >= 4; words += 4) {
    add_to_mark(&a, words[0]);
    add_to_mark(&b, words[1]);
    add_to_mark(&c, words[2]);
    add_to_mark(&d, words[3]);
  }
  for (; words < end; words++) add_to_mark(&a, *words);
  const uint64_t others[] = {b.low, b.high, c.low, c.high, d.low, d.high};
  for (unsigned i = 0; i < sizeof others / sizeof others[0]; i++) add_to_mark(&a, others[i]);
  return a;
}

/* Is it where it was at the last visit of the anchor, and nothing changed on its stack? */
static __attribute__((noinline)) bool is_at_anchor(const struct thread *thread, const struct visit *visit) {
  const struct spin *spin = &thread->spin;
  return is_same_place(&spin->anchor, visit) && spin->state_bytes == state_bytes(thread, visit) &&
         memcmp(spin->state, visit->frame, spin->state_bytes) == 0;
}

/* Keeps what was read since it was first armed, which is more than in the last round. A value that changed begins the
 * history anew. */
static void see(struct spin *spin, const struct watched *read) {
  const uint32_t count = spin->n_seen < MAX_WATCHED ? spin->n_seen : MAX_WATCHED;
  for (uint32_t i = 0; i < count; i++) {
    if (spin->seen[i].address != read->address || spin->seen[i].size != read->size) continue;
    if (spin->seen[i].value == read->value) return;
    spin->n_states = spin->n_seen = 0;
    break;
  }
  if (spin->n_seen < MAX_WATCHED) spin->seen[spin->n_seen] = *read;
  if (spin->n_seen <= MAX_WATCHED) spin->n_seen++;
}

static void remember_state(struct thread *thread, const struct visit *visit) {
  struct spin *spin = &thread->spin;
  spin->states[spin->n_states++ % MAX_SPIN_STATES] = spin_state_mark(thread, visit);
}

/* Was it in this state at an earlier visit of the anchor, not only the last? Then its rounds repeat. */
static __attribute__((noinline)) bool is_in_known_state(const struct thread *thread, const struct visit *visit) {
  const struct spin *spin = &thread->spin;
  const struct state_mark mark = spin_state_mark(thread, visit);
  const uint32_t count = spin->n_states < MAX_SPIN_STATES ? spin->n_states : MAX_SPIN_STATES;
  for (uint32_t i = 0; i < count; i++)
    if (spin->states[i].low == mark.low && spin->states[i].high == mark.high) return true;
  return false;
}

static __attribute__((noinline)) void arm(struct thread *thread, const struct visit *visit) {
  struct spin *spin = &thread->spin;
  if (!spin->armed) spin->n_states = spin->n_seen = 0;
  remember_state(thread, visit);
  see(spin, &visit->read);
  spin->state_bytes = (uint32_t)state_bytes(thread, visit);
  memcpy(spin->state, visit->frame, spin->state_bytes);
  spin->anchor = *visit;
  spin->watched[0] = visit->read;
  spin->n_watched = 1;
  spin->armed = true;
  sharing_set_owner(thread);
}

/* While armed: collects another read of the round. False: there are too many, or one has changed. */
static __attribute__((noinline)) bool watch(struct spin *spin, const struct watched *read) {
  for (uint32_t i = 0; i < spin->n_watched; i++)
    if (spin->watched[i].address == read->address && spin->watched[i].size == read->size)
      return spin->watched[i].value == read->value;
  if (spin->n_watched == MAX_WATCHED) return false;
  spin->watched[spin->n_watched++] = *read;
  return true;
}

/* Member by member, as it was written a moment ago: a wider read would have to wait until that has reached the cache.
 */
static inline void keep_visit(struct visit *to, const struct visit *from) {
  to->read.address = from->read.address;
  to->read.value = from->read.value;
  to->read.size = from->read.size;
  to->read.is_private = from->read.is_private;
  to->site = from->site;
  to->frame = from->frame;
}

static inline bool was_here(const struct spin *spin, const struct visit *visit) {
  const struct visit *end = &spin->visits[spin->n_visits < MAX_VISITS ? spin->n_visits : MAX_VISITS];
  for (const struct visit *earlier = spin->visits; earlier < end; earlier++)
    if (UNLIKELY(earlier->site == visit->site) && is_same_place(earlier, visit) &&
        earlier->read.value == visit->read.value)
      return true;
  return false;
}

INLINED void spin_note_opaque_calls(struct thread *thread) {
  if (!UNLIKELY(__heddle_opaque_calls)) return;
  __heddle_opaque_calls = 0;
  thread->progress++;
  thread->unrepeatable++;
}

static inline void start_over_after_progress(struct thread *thread) {
  struct spin *spin = &thread->spin;
  if (spin->progress == thread->progress) return;
  disarm(thread);
  spin->progress = thread->progress;
  spin->n_visits = 0;
}

/* Its state is as it was at the last visit of the anchor, or at one before: then the rounds since then repeat. */
static __attribute__((noinline)) void park_if_repeated(struct thread *thread, const struct visit *visit) {
  struct spin *spin = &thread->spin;
  if (!is_same_place(&spin->anchor, visit)) return;
  if (is_at_anchor(thread, visit)) {
    spin->parked = true;
    if (visit->read.size && !spin->anchor.read.is_private && !spin_watches_many(thread)) awaits_mark(visit->site);
  } else if (spin->n_seen <= MAX_WATCHED && is_in_known_state(thread, visit)) {
    spin->parked = true;
    spin->n_watched = spin->n_seen;
    memcpy(spin->watched, spin->seen, spin->n_seen * sizeof spin->seen[0]);
  }
}

INLINED void spin_look_before_read(struct thread *thread, const struct visit *visit) {
  if (UNLIKELY(thread->spin.update.size)) look_at_update(thread);
  spin_note_opaque_calls(thread);
  start_over_after_progress(thread);
  if (UNLIKELY(thread->spin.armed)) park_if_repeated(thread, &(struct visit){VISIT_MEMBERS(visit)});
  if (UNLIKELY(thread->spin.parked)) spin_leave_out_round();
}

static inline void keep_or_arm(struct thread *thread, const struct visit *visit) {
  struct spin *spin = &thread->spin;
  if (UNLIKELY(was_here(spin, visit)))
    arm(thread, &(struct visit){VISIT_MEMBERS(visit)});
  else
    keep_visit(&spin->visits[spin->n_visits++ % MAX_VISITS], visit);
}

static __attribute__((noinline)) void look_while_armed(struct thread *thread, const struct visit *visit) {
  struct spin *spin = &thread->spin;
  if (spin->anchor.read.is_private && !visit->read.is_private) stop_watching(thread);
  if (spin->armed) see(spin, &visit->read);
  if (spin->armed && !watch(spin, &visit->read)) spin_end(thread);
  start_over_after_progress(thread);
  if (!is_small(thread, visit)) return;
  if (!spin->armed)
    keep_or_arm(thread, visit);
  else if (is_same_place(&spin->anchor, visit) && !is_at_anchor(thread, visit))
    arm(thread, visit);
}

INLINED void spin_look_after_read(struct thread *thread, const struct visit *visit) {
  if (UNLIKELY(thread->spin.armed)) {
    look_while_armed(thread, &(struct visit){VISIT_MEMBERS(visit)});
    return;
  }
  start_over_after_progress(thread);
  if (is_small(thread, visit)) keep_or_arm(thread, visit);
}

bool spin_before_private_read(struct thread *thread, struct visit visit) {
  struct spin *spin = &thread->spin;
  spin_before_read(thread, visit);
  if (spin->suspected && --spin->suspected == 0) sharing_set_owner(thread);
  if (!spin->parked) {
    visit.read.is_private = true;
    spin_after_read(thread, visit);
    return false;
  }
  for (uint32_t i = 0; i < spin->n_watched; i++)
    if (spin->watched[i].size) sharing_make_shared(spin->watched[i].address, spin->watched[i].size);
  return true;
}

bool spin_leave_to_reads(struct thread *thread) {
  struct spin *spin = &thread->spin;
  bool reads = false;
  for (uint32_t i = 0; i < spin->n_watched; i++) reads |= spin->watched[i].size > 0;
  if (!reads) return false;
  spin->parked = false;
  spin_changes(thread);
  return true;
}

void spin_suspect(struct thread *thread) {
  thread->spin.suspected = SUSPECTED_ACCESSES;
  sharing_set_owner(thread);
}

/* Memory that is gone, or was freed, is for the program to find out. */
static bool has_changed(const struct watched *watched) {
  if (!watched->size) return ((const struct object *)watched->address)->version != watched->value;
  uint64_t value;
  return !trace_peek(watched->address, watched->size, &value) || value != watched->value ||
         memory_is_freed(watched->address);
}

bool spin_watches_many(const struct thread *thread) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < thread->spin.n_watched; i++) count += !thread->spin.watched[i].is_private;
  return count > 1;
}

bool spin_can_continue(const struct thread *thread) {
  for (uint32_t i = 0; i < thread->spin.n_watched; i++)
    if (has_changed(&thread->spin.watched[i])) return true;
  return false;
}
