/* SPDX-License-Identifier: MIT
 *
 * What is shared between threads that do not run together. In runs of one thread alone (PLAN_SOLO), two threads that
 * touch the same bytes may never do so in one run, so sharing.c would not see it; nor does it if each of the two fails
 * right after its touch, so that the other never reaches its own (PLAN_TOUCHES). Here touches are compared over all
 * such runs: a byte is shared when another thread touched it in any of them, one of the two writes, and neither is
 * before the other by creation. Joining orders nothing in runs with symbolic reads (sharing_join): what a thread reads
 * of the work of one it joined is data flow like any other.
 *
 * The order is the one of this run for what this thread was created after, and for the other thread the least of all
 * its creations. What is not known to be ordered counts as shared, which only makes more operations visible.
 *
 * Touches and births are lists of struct knowledge that only grow. struct touch_index finds the newest touch of a
 * granule by a thread: slots with the places of touches in an open hash table by granule, which takes in what the list
 * has more whenever it is asked. So it does not matter whether a run is a process of its own.
 */
#include "sharing.h"
#include "terms.h"

static uint32_t at_most(uint32_t count, uint32_t most) {
  return count < most ? count : most;
}

/* ---- the index ---- */

static uint32_t first_slot(uint64_t granule) {
  return (uint32_t)((granule / 8) * 0x9e3779b97f4a7c15ull >> 40) % TOUCH_SLOTS;
}

static uint32_t next_slot(uint32_t at) {
  return (at + 1) % TOUCH_SLOTS;
}

/* NULL: the slot is empty. */
static const struct touch *touch_in(uint32_t at) {
  const uint32_t place = rt->touch_index.slots[at];
  return place && place <= MAX_TOUCHES ? &rt->knowledge->touches[place - 1] : NULL;
}

static void index_touch(uint32_t place) {
  const struct touch *touch = &rt->knowledge->touches[place], *other;
  uint32_t at = first_slot(touch->address);
  for (uint32_t tries = 0; tries < TOUCH_SLOTS && (other = touch_in(at)); tries++, at = next_slot(at))
    if (other->address == touch->address && other->thread == touch->thread) break;
  rt->touch_index.slots[at] = place + 1;
}

static void index_birth(const struct birth *birth) {
  if (birth->thread < TOUCHED_THREADS && birth->other < TOUCHED_THREADS)
    rt->touch_index.births[birth->thread][birth->other] = birth->segment;
}

static void catch_up(void) {
  const uint32_t n_touches = at_most(rt->knowledge->n_touches, MAX_TOUCHES);
  const uint32_t n_births = at_most(rt->knowledge->n_births, MAX_BIRTHS);
  while (rt->touch_index.n_touches < n_touches) index_touch(rt->touch_index.n_touches++);
  while (rt->touch_index.n_births < n_births) index_birth(&rt->knowledge->births[rt->touch_index.n_births++]);
}

/* ---- births ---- */

static void add_birth(struct birth birth) {
  struct knowledge *knowledge = rt->knowledge;
  if (knowledge->n_births >= MAX_BIRTHS) {
    knowledge->overflow = 1;
    return;
  }
  knowledge->births[knowledge->n_births] = birth;
  knowledge->seal += sealed_birth(knowledge->n_births, birth);
  knowledge->n_births++;
}

/* A thread's own segment at its birth is 1: what was noted before has one. */
void touches_new_thread(thread_id child) {
  if (child >= TOUCHED_THREADS) return;
  catch_up();
  const uint16_t *before = rt->touch_index.births[child], *now = rt->clocks[child];
  const bool is_known = before[child];
  for (thread_id i = 0; i < TOUCHED_THREADS; i++)
    if (is_known ? now[i] < before[i] : now[i]) add_birth((struct birth){child, i, now[i], 0});
}

/* ---- touches ---- */

static uint16_t segment_index(const struct thread *thread) {
  return rt->segments[thread->segment].index;
}

static bool is_ordered(const struct touch *touch, const struct thread *thread) {
  const thread_id other = touch->thread;
  if (other >= HEDDLE_MAX_THREADS) return false; /* the table is damaged */
  if (touch->segment <= rt->clocks[thread->id][other]) return true;
  if (other >= TOUCHED_THREADS || thread->id >= TOUCHED_THREADS) return false;
  return segment_index(thread) <= rt->touch_index.births[other][thread->id];
}

static unsigned conflicts(const struct touch *touch, const struct thread *thread, unsigned bytes, bool writes) {
  const unsigned both = bytes & (writes ? touch->read | touch->written : touch->written);
  return both && touch->thread != thread->id && !is_ordered(touch, thread) ? both : 0;
}

static void add_touch(const struct touch *touch) {
  struct knowledge *knowledge = rt->knowledge;
  if (knowledge->n_touches >= MAX_TOUCHES) {
    knowledge->overflow = 1;
    return;
  }
  knowledge->touches[knowledge->n_touches] = *touch;
  knowledge->seal += sealed_touch(knowledge->n_touches, touch);
  knowledge->n_touches++;
}

/* `before` is what the thread touched there in earlier runs. */
static void remember(const struct touch *before, const struct thread *thread, unsigned bytes, bool writes) {
  struct touch touch = *before;
  if (segment_index(thread) > touch.segment) touch.segment = segment_index(thread);
  *(writes ? &touch.written : &touch.read) |= (uint8_t)bytes;
  if (memcmp(&touch, before, sizeof touch) != 0) add_touch(&touch);
}

static void make_shared(uint64_t granule, unsigned bytes) {
  for (unsigned i = 0; i < 8; i++)
    if (bytes >> i & 1) sharing_make_shared(granule + i, 1);
}

bool touches_note(uint64_t granule, unsigned bytes, bool writes) {
  const struct thread *thread = self();
  const struct granule *record = sharing_record_at(granule);
  struct touch own = {.address = granule, .thread = thread->id};
  const struct touch *touch;
  unsigned shared = 0;
  bytes &= record ? ~(unsigned)record->shared : ~0u;
  if (!bytes) return false;
  catch_up();
  uint32_t at = first_slot(granule);
  for (uint32_t tries = 0; tries < TOUCH_SLOTS && (touch = touch_in(at)); tries++, at = next_slot(at)) {
    if (touch->address != granule) continue;
    if (touch->thread == thread->id) own = *touch;
    shared |= conflicts(touch, thread, bytes, writes);
  }
  remember(&own, thread, bytes, writes);
  if (shared) make_shared(granule, shared);
  return shared;
}
