/* SPDX-License-Identifier: MIT
 *
 * Livelocks of several threads. Each of them comes round a loop that changes something and undoes it; but they overlap,
 * so that no round is one piece (rounds.c), and nobody ever rests. If everything is as it was at an earlier moment, the
 * run could continue as it did since then, again and again. If every thread that could move since then has moved, a
 * fair scheduler would let it: that is a livelock.
 *
 *     moment   a thread comes round its loop, its registers and stack as before; chosen anew after 1, 2, 4, 8, ...
 *              such visits (Brent)
 *     threads  those that moved are watched: each has come to its own anchor with some state, and done the same since,
 *              reading the same values. So its state is the same without being looked at
 *     memory   what was written since the moment, with what was there before; locks, with who had them
 *
 * Threads that rest, or wait for a value (awaits.c), are no exception: what they would do changes nothing, so it could
 * be done in between. Whatever no state shows ends the attempt: a step of a thread that is not watched (rounds.c says
 * which operations keep it so), too many writes, the clock.
 */
#include "cycles.h"
#include "ends.h"
#include "model/kinds.h"
#include "trace.h"

static uint64_t mix(uint64_t sum, uint64_t word) {
  sum = (sum ^ word) * 0xff51afd7ed558ccdull;
  return sum ^ sum >> 32;
}

/* Of all threads: what each has come to, and done since. */
static uint64_t threads_mark(void) {
  uint64_t sum = 0x9e3779b97f4a7c15ull;
  for (uint32_t i = 0; i <= rt->highest_thread; i++) {
    const struct thread *thread = &rt->threads[i];
    if (thread->state == ABSENT) continue;
    sum = mix(sum, (uint64_t)thread->state << 32 | thread->is_watched);
    sum = mix(sum, thread == self() ? 0 : thread->round.done);
    sum = mix(mix(sum, thread->round.state.low), thread->round.state.high);
  }
  return sum;
}

static void begin(void) {
  struct cycle *cycle = &rt->cycle;
  cycle->is_on = rt->n_words == 1;
  cycle->mark = threads_mark();
  cycle->thread = self()->id;
  cycle->moved = cycle->could = 0;
  cycle->n_written = cycle->n_locks = cycle->n_visits = 0;
}

void cycles_begin_run(void) {
  rt->cycle.is_on = false;
  rt->cycle.patience = 1;
}

void cycles_forget(void) {
  rt->cycle.is_on = false;
}

/* ---- what is done ---- */

void cycles_note_write(uint64_t address, uint64_t size) {
  struct cycle *cycle = &rt->cycle;
  for (uint32_t i = 0; i < cycle->n_written; i++)
    if (cycle->written[i].address == address && cycle->written[i].size == size) return;
  if (size > 8 || cycle->n_written == MAX_CYCLE_WRITES)
    cycle->is_on = false;
  else
    cycle->written[cycle->n_written++] =
        (struct watched){.address = address, .value = trace_load(address, (uint32_t)size), .size = (uint32_t)size};
}

static void note_lock(struct object *lock) {
  struct cycle *cycle = &rt->cycle;
  for (uint32_t i = 0; i < cycle->n_locks; i++)
    if (cycle->locks[i].lock == lock) return;
  if (cycle->n_locks == MAX_CYCLE_LOCKS)
    cycle->is_on = false;
  else
    cycle->locks[cycle->n_locks++] = (struct lock_before){lock, lock->owner, lock->count};
}

/* What a thread does follows from its state and from what it reads. */
void cycles_note(struct thread *thread, const struct event *event) {
  const bool is_access = kind_has(event->kind, TRAIT_IS_ACCESS);
  uint64_t done = mix(thread->round.done, (uint64_t)event->kind << 32 | event->size);
  done = mix(done, event->object);
  if (is_access && event->size <= 8) done = mix(done, trace_load(event->object, event->size));
  thread->round.done = done;
  if (!rt->cycle.is_on) return;
  if (is_access && event_writes_bytes(event)) cycles_note_write(event->object, event->size);
  if (!is_access && thread->operation.object) note_lock(thread->operation.object);
}

void cycles_note_read(struct thread *thread, uint64_t address, uint64_t size) {
  uint64_t done = mix(thread->round.done, address);
  for (uint64_t i = 0; i < size; i += 8)
    done = mix(done, trace_load(address + i, size - i < 8 ? (uint32_t)(size - i) : 8));
  thread->round.done = done;
}

void cycles_step(const struct thread *chosen) {
  rt->cycle.could |= rt->enabled.words[0];
  rt->cycle.moved |= 1ull << chosen->id;
  if (!chosen->is_watched) rt->cycle.is_on = false;
}

/* ---- a moment like an earlier one ---- */

static bool memory_is_as_before(const struct cycle *cycle) {
  for (uint32_t i = 0; i < cycle->n_written; i++) {
    const struct watched *written = &cycle->written[i];
    uint64_t value;
    if (!trace_peek(written->address, written->size, &value) || value != written->value) return false;
  }
  return true;
}

static bool locks_are_as_before(const struct cycle *cycle) {
  for (uint32_t i = 0; i < cycle->n_locks; i++) {
    const struct lock_before *before = &cycle->locks[i];
    if (before->lock->owner != before->owner || before->lock->count != before->count) return false;
  }
  return true;
}

static bool several_moved(uint64_t moved) {
  return moved & (moved - 1);
}

void cycles_look(const struct visit *visit) {
  struct cycle *cycle = &rt->cycle;
  if (!cycle->is_on) {
    begin();
    return;
  }
  if (cycle->thread != self()->id) return;
  const bool is_back = threads_mark() == cycle->mark && memory_is_as_before(cycle) && locks_are_as_before(cycle);
  if (is_back && several_moved(cycle->moved) && !(cycle->could & ~cycle->moved))
    finish_run(OUTCOME_CIRCLES, visit->site, visit->read.address);
  if (is_back && several_moved(cycle->moved)) return; /* somebody could have moved, and may yet */
  if (++cycle->n_visits < cycle->patience) return;
  cycle->patience *= 2;
  begin();
}
