/* SPDX-License-Identifier: MIT
 *
 * Spin loops. A thread that comes to the same read a third time, its registers and stack unchanged, nothing written and
 * nothing unknown called in between, and the same values read, will go on like that for ever unless one of these values
 * changes. It is parked until one does.
 *
 *     first visit    remember place, address, value
 *     second visit   same, and no progress: copy the stack, and from here on let every access of this thread take the
 * slow path, so that writes to private memory count as progress; collect what is read third visit    same, no progress,
 * same stack: park
 *
 * An atomic update that leaves the value as it was (a test-and-set of a taken lock) is a read in this sense; whether it
 * did is seen when the thread comes back, before anybody else can have moved.
 *
 * A loop over memory that is not known to be shared yet makes no visible operation. When a thread has not come to one
 * for some milliseconds, it is suspected: its accesses take the slow path for a while, and reads of private memory are
 * treated like the others. If it spins on them, only another thread can end that: they are shared.
 *
 * Exact: the state of the thread is compared, not guessed. A loop that counts its tries is never parked.
 */
#include "runtime.h"

#define SUSPECTED_ACCESSES 4096u

static void disarm(struct thread *thread) {
  if (!thread->spin.armed) return;
  thread->spin.armed = false;
  sharing_set_owner(thread);
}

void spin_end(struct thread *thread) {
  thread->progress++;
  disarm(thread);
}

static void look_at_update(struct thread *thread) {
  struct watched *update = &thread->spin.update;
  if (update->size && trace_load(update->address, update->size) != update->value) thread->progress++;
  update->size = 0;
}

static bool is_same(const struct visit *a, const struct visit *b) {
  return a->site == b->site && a->frame == b->frame && a->read.address == b->read.address &&
         a->read.value == b->read.value && a->read.size == b->read.size;
}

static void arm(struct thread *thread, const struct visit *visit, size_t bytes) {
  struct spin *spin = &thread->spin;
  memcpy(spin->state, visit->frame, bytes);
  spin->state_bytes = (uint32_t)bytes;
  spin->anchor = *visit;
  spin->watched[0] = visit->read;
  spin->n_watched = 1;
  spin->armed = true;
  sharing_set_owner(thread);
}

/* While armed: collects another read of the round; gives up when there are too many, or one has changed. */
static void watch(struct thread *thread, const struct watched *read) {
  struct spin *spin = &thread->spin;
  for (uint32_t i = 0; i < spin->n_watched; i++) {
    if (spin->watched[i].address != read->address || spin->watched[i].size != read->size) continue;
    if (spin->watched[i].value != read->value) spin_end(thread);
    return;
  }
  if (spin->n_watched == MAX_WATCHED)
    spin_end(thread);
  else
    spin->watched[spin->n_watched++] = *read;
}

static bool was_here(const struct spin *spin, const struct visit *visit) {
  const uint32_t count = spin->n_visits < MAX_VISITS ? spin->n_visits : MAX_VISITS;
  for (uint32_t i = 0; i < count; i++)
    if (is_same(&spin->visits[i], visit)) return true;
  return false;
}

void spin_before_read(struct thread *thread, struct visit visit) {
  struct spin *spin = &thread->spin;
  look_at_update(thread);
  const uint64_t progress = thread->progress + __heddle_opaque_calls;
  if (spin->progress != progress) {
    disarm(thread);
    spin->progress = progress;
    spin->n_visits = 0;
  }
  const uint64_t bytes = thread->stack_top - (uint64_t)visit.frame;
  if (bytes > SPIN_STATE_BYTES) return;
  if (spin->armed && !is_same(&spin->anchor, &visit)) {
    watch(thread, &visit.read);
  } else if (spin->armed && spin->state_bytes == bytes && memcmp(spin->state, visit.frame, bytes) == 0) {
    spin->parked = true;
  } else if (spin->armed || was_here(spin, &visit)) {
    arm(thread, &visit, bytes);
  } else {
    spin->visits[spin->n_visits++ % MAX_VISITS] = visit;
  }
}

bool spin_before_private_read(struct thread *thread, struct visit visit) {
  struct spin *spin = &thread->spin;
  spin_before_read(thread, visit);
  if (spin->suspected && --spin->suspected == 0) sharing_set_owner(thread);
  if (!spin->parked) return false;
  for (uint32_t i = 0; i < spin->n_watched; i++)
    if (spin->watched[i].size) sharing_make_shared(spin->watched[i].address, spin->watched[i].size);
  return true;
}

void spin_suspect(struct thread *thread) {
  thread->spin.suspected = SUSPECTED_ACCESSES;
  sharing_set_owner(thread);
}

static uint64_t current_value(const struct watched *watched) {
  return watched->size ? trace_load(watched->address, watched->size)
                       : ((const struct object *)watched->address)->version;
}

bool spin_can_continue(const struct thread *thread) {
  for (uint32_t i = 0; i < thread->spin.n_watched; i++)
    if (current_value(&thread->spin.watched[i]) != thread->spin.watched[i].value) return true;
  return false;
}
