/* SPDX-License-Identifier: MIT
 *
 * What is shared between threads that do not run together. In runs of one thread alone (PLAN_SOLO), two threads that
 * touch the same bytes may never do so in one run, so sharing.c would not see it; nor does it if each of the two fails
 * right after its touch, so that the other never reaches its own (PLAN_TOUCHES). Here touches are remembered over all
 * such runs, in struct process_knowledge: a byte is shared when another thread touched it in any of them, one of the
 * two writes, and neither is before the other by creation. Joining orders nothing in runs with symbolic reads
 * (sharing_join): what a thread reads of the work of one it joined is data flow like any other.
 *
 * The order is the one of this run for what this thread was created after, and for the other thread the one at its last
 * creation. What is not known to be ordered counts as shared, which only makes more operations visible.
 */
#include "sharing.h"
#include "terms.h"

static struct touched *place_of(uint64_t granule) {
  uint32_t at = (uint32_t)((granule / 8) * 0x9e3779b97f4a7c15ull >> 48) % MAX_TOUCHED;
  for (uint32_t tries = 0; tries < MAX_TOUCHED; tries++, at = (at + 1) % MAX_TOUCHED) {
    struct touched *touched = &rt->process->touched[at];
    if (!touched->address) touched->address = granule;
    if (touched->address == granule) return touched;
  }
  rt->knowledge->overflow = 1;
  return NULL;
}

void touches_new_thread(thread_id child) {
  if (child >= TOUCHED_THREADS) return;
  memcpy(rt->process->births[child], rt->clocks[child], TOUCHED_THREADS * sizeof(uint16_t));
}

static uint16_t segment_index(const struct thread *thread) {
  return rt->segments[thread->segment].index;
}

static bool is_ordered(const struct thread_touch *touch, const struct thread *thread) {
  const thread_id other = touch->thread;
  if (other >= HEDDLE_MAX_THREADS) return false; /* the table is damaged */
  if (touch->segment <= rt->clocks[thread->id][other]) return true;
  if (other >= TOUCHED_THREADS || thread->id >= TOUCHED_THREADS) return false;
  return segment_index(thread) <= rt->process->births[other][thread->id];
}

static unsigned conflicts(const struct touched *touched, const struct thread *thread, unsigned bytes, bool writes) {
  unsigned found = 0;
  for (uint32_t i = 0; i < THREAD_TOUCHES && touched->touches[i].segment; i++) {
    const struct thread_touch *touch = &touched->touches[i];
    const unsigned both = bytes & (writes ? touch->read | touch->written : touch->written);
    if (both && touch->thread != thread->id && !is_ordered(touch, thread)) found |= both;
  }
  return found;
}

/* NULL: more threads have touched it than there are places for. */
static struct thread_touch *touch_of(struct touched *touched, const struct thread *thread) {
  uint32_t i = 0;
  while (i < THREAD_TOUCHES && touched->touches[i].segment && touched->touches[i].thread != thread->id) i++;
  return i < THREAD_TOUCHES ? &touched->touches[i] : NULL;
}

static void remember(struct touched *touched, const struct thread *thread, unsigned bytes, bool writes) {
  struct thread_touch *touch = touch_of(touched, thread);
  if (!touch) {
    rt->knowledge->overflow = 1;
    return;
  }
  touch->thread = thread->id;
  if (segment_index(thread) > touch->segment) touch->segment = segment_index(thread);
  *(writes ? &touch->written : &touch->read) |= (uint8_t)bytes;
}

static void make_shared(uint64_t granule, unsigned bytes) {
  for (unsigned i = 0; i < 8; i++)
    if (bytes >> i & 1) sharing_make_shared(granule + i, 1);
}

bool touches_note(uint64_t granule, unsigned bytes, bool writes) {
  const struct thread *thread = self();
  const struct granule *record = sharing_record_at(granule);
  bytes &= record ? ~(unsigned)record->shared : ~0u;
  struct touched *touched = bytes ? place_of(granule) : NULL;
  if (!touched) return false;
  const unsigned shared = conflicts(touched, thread, bytes, writes);
  remember(touched, thread, bytes, writes);
  if (shared) make_shared(granule, shared);
  return shared;
}
