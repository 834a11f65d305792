/* SPDX-License-Identifier: MIT
 *
 * The ends of stack frames. A local variable is dead when its function has returned. For the threads that have its
 * address the return is a write of its bytes (src/instrument/frames.c tells of it): sharing.c learns whether another
 * thread could come before it, and then it is an operation of its own, like free. An access after it is a finding.
 *
 * Which bytes of a stack are dead:
 *   - those that lie below the frames of the program that its thread is in: it is not running when another one
 *     touches them;
 *   - all of a thread that has ended, and of main when it has returned. When main has ended otherwise, its stack stays
 *     until the process ends;
 *   - those of a shared variable whose function has returned, although a later call may cover them by now: their
 *     granules have records, which say so (`dead`), until a function that is called has such a variable there.
 *
 * Code that is not instrumented may use them again unseen: what it could have done ends the last rule.
 *
 * A variable with a synchronisation object in it is marked as fresh where its life begins, until somebody writes to it:
 * an object in bytes that nobody has written to was never initialised.
 */
#include "frames.h"
#include "awaits.h"
#include "ends.h"
#include "executor.h"
#include "schedule.h"
#include "sharing.h"
#include "spin.h"
#include "trace.h"
#include "warnings.h"

void frames_begin_run(void) {
  __heddle_has_threads = __heddle_has_dead = 0;
  rt->has_fresh = false;
}

static bool is_on_stack(uint64_t address) {
  return address >= STACKS_ADDRESS && address < STACKS_END;
}

/* ---- marks ---- */

static void mark_dead(uint64_t address, uint64_t size) {
  for (uint64_t place = address & ~7ull; place < address + size; place += 8) {
    struct granule *granule = sharing_record_at(place);
    if (!granule) continue;
    if (granule->dead_run != rt->run || granule->dead_calls != (uint32_t)__heddle_opaque_calls) granule->dead = 0;
    granule->dead_run = rt->run;
    granule->dead_calls = (uint32_t)__heddle_opaque_calls;
    granule->dead |= (uint8_t)granule_bytes(place, address, size);
    __heddle_has_dead = 1;
  }
}

static void revive(uint64_t address, uint64_t size) {
  for (uint64_t place = address & ~7ull; place < address + size; place += 8) {
    struct granule *granule = sharing_record_at(place);
    if (granule) granule->dead &= (uint8_t)~granule_bytes(place, address, size);
  }
}

static bool is_marked_dead(uint64_t address, uint64_t size) {
  for (uint64_t place = address & ~7ull; place < address + size; place += 8) {
    const struct granule *granule = sharing_record_at(place);
    if (granule && granule->dead & granule_bytes(place, address, size) && granule->dead_run == rt->run &&
        granule->dead_calls == (uint32_t)__heddle_opaque_calls)
      return true;
  }
  return false;
}

EXPORTED void __heddle_slow_frame_begin(void *address, uint64_t size);
void __heddle_slow_frame_begin(void *address, uint64_t size) {
  revive((uint64_t)address, size);
}

/* ---- ends ---- */

static bool is_owned(uint64_t address, uint64_t size) {
  for (const uint64_t end = address + size; address < end; address = (address & ~7ull) + 8) {
    const uint64_t left = end - address, here = 8 - (address & 7);
    if (!shadow_owned(*shadow_of(address), __heddle_owner, address, left < here ? left : here, SHADOW_WRITTEN_SHIFT))
      return false;
  }
  return true;
}

static void take_turn(uint64_t address, uint64_t size, site_id site) {
  const uint32_t size_bytes = size < UINT32_MAX ? (uint32_t)size : UINT32_MAX;
  spin_end(self());
  schedule_operation((struct operation){.kind = EVENT_FRAME_END, .address = address, .size = size_bytes, .site = site});
  trace_record(EVENT_FRAME_END, address, size_bytes, site);
  mark_dead(address, size);
}

EXPORTED void __heddle_slow_frame_end(void *address, uint64_t size, const struct site *site);
void __heddle_slow_frame_end(void *address, uint64_t size, const struct site *site) {
  const uint64_t first = (uint64_t)address;
  if (!size || !controlled || is_owned(first, size)) return;
  rehearsal_check();
  if (sharing_touch(first, size, true)) take_turn(first, size, (site_id)(uint64_t)site);
}

void frames_leave_between(uint64_t from, uint64_t until, site_id site) {
  const struct thread *thread = self();
  from &= ~7ull;
  if (!sharing_is_possible() || from < thread->stack_bottom || from >= until || until > thread->stack_top) return;
  if (sharing_touch_used(from, until - from)) take_turn(from, until - from, site);
}

void frames_leave(uint64_t until, site_id site) {
  frames_leave_between((uint64_t)__builtin_frame_address(0), until, site);
}

void frames_leave_all(site_id site) {
  const struct thread *thread = self();
  if (thread->id != 0) frames_leave(thread->locals_top, site);
}

/* ---- the check ---- */

/* Main has returned, or another thread has ended. */
static bool has_ended(const struct thread *thread, uint64_t address) {
  return address < thread->left_below || (thread->id != 0 && thread->state == ENDED && address < thread->locals_top);
}

static bool is_within(const struct thread *thread, uint64_t address) {
  return address > thread->stack_bottom && address < thread->stack_top;
}

/* Where the frames of the program begin, above those of the runtime, of a thread that does not run. The runtime keeps
 * frame pointers: each frame begins with that of its caller, and where it returns to. */
static uint64_t lowest_frame(const struct thread *thread) {
  const uint64_t *saved = thread->stack_pointer; /* as fiber_swap leaves it: frame pointer, and where it continues */
  if (rt->kernel_threads || !executor_is_in_runtime(saved[1])) return (uint64_t)saved;
  for (const uint64_t *frame = (const uint64_t *)saved[0]; is_within(thread, (uint64_t)frame);
       frame = (const uint64_t *)frame[0]) {
    if (!frame[1]) break; /* the frame that the thread began with */
    if (!executor_is_in_runtime(frame[1])) return (uint64_t)(frame + 2);
  }
  return (uint64_t)saved;
}

/* Not while it runs on a stack of the program's own, as coroutines do. */
static bool is_below(const struct thread *thread, uint64_t end) {
  return is_within(thread, (uint64_t)thread->stack_pointer) && end <= lowest_frame(thread);
}

static bool is_dead(const struct thread *thread, uint64_t address, uint64_t size) {
  return has_ended(thread, address) || is_marked_dead(address, size) || is_below(thread, address + size);
}

static void note_written(uint64_t address, uint64_t size) {
  for (uint64_t place = address & ~7ull; place < address + size; place += 8) {
    struct granule *granule = sharing_record_at(place);
    if (granule) granule->fresh &= (uint8_t)~granule_bytes(place, address, size);
  }
}

void frames_check(uint64_t address, uint64_t size, bool writes, site_id site) {
  const uint64_t slot = (address - STACKS_ADDRESS) / STACK_SLOT_BYTES;
  const struct thread *thread = &rt->threads[slot];
  if (writes && rt->has_fresh) note_written(address, size);
  if (thread == self()) {
    if (__heddle_has_dead) revive(address, size);
    return;
  }
  if (slot > rt->highest_thread || thread->state == ABSENT || !is_dead(thread, address, size)) return;
  finish_run_with_message(OUTCOME_MEMORY_MISUSE, site, address,
                          writes ? "write of a local variable, used after the function returned"
                                 : "read of a local variable, used after the function returned");
}

/* ---- variables that were never written to ---- */

EXPORTED void __heddle_slow_fresh(void *address, uint64_t size);
void __heddle_slow_fresh(void *pointer, uint64_t size) {
  const uint64_t address = (uint64_t)pointer;
  if (!controlled || !is_on_stack(address)) return;
  rehearsal_check();
  objects_forget(address, size);
  for (uint64_t place = address & ~7ull; place < address + size; place += 8) {
    struct granule *granule = sharing_make_record(place);
    if (!granule) continue;
    if (granule->fresh_run != rt->run || granule->fresh_writes != (uint32_t)__heddle_unseen_writes) granule->fresh = 0;
    rt->has_fresh = true;
    granule->fresh_run = rt->run;
    granule->fresh_writes = (uint32_t)__heddle_unseen_writes;
    granule->fresh |= (uint8_t)granule_bytes(place, address, size);
  }
}

bool frames_is_fresh(uint64_t address, uint64_t size) {
  if (!is_on_stack(address)) return false;
  for (uint64_t place = address & ~7ull; place < address + size; place += 8) {
    const struct granule *granule = sharing_record_at(place);
    const unsigned bytes = granule_bytes(place, address, size);
    if (!granule || granule->fresh_run != rt->run || granule->fresh_writes != (uint32_t)__heddle_unseen_writes ||
        (granule->fresh & bytes) != bytes)
      return false;
  }
  return true;
}

EXPORTED void __heddle_slow_undefined(const struct site *site);
void __heddle_slow_undefined(const struct site *site) {
  if (!controlled) return;
  const struct warning warning = {.kind = WARNING_UNINITIALISED_LOCAL,
                                  .site = (site_id)(uint64_t)site,
                                  .thread = self()->id,
                                  .other_thread = NO_THREAD};
  warnings_add(&warning);
}
