/* SPDX-License-Identifier: MIT
 *
 * Loops that wait for a value: while (load(x) != 3) yield(). A read that leads back to itself, with the registers, the
 * stack and all memory as they were, can be left out of a run: nobody can tell. So it is an operation that waits, as
 * taking a lock does: it can be performed where it finds a value that leads elsewhere. A run has one read for each time
 * such a loop is passed, and none for the values that did not end it. docs/algorithms/fairness.md has the proof.
 *
 *     place      where a thread was parked that only reads one value there (spin.c); marked by making a byte of its
 *                site shared, so that all runs of an exploration look at it alike (rounds.c)
 *     rehearsal  whether a value leads on is not guessed: the thread continues from its read, with that value, until it
 *                is back (then it waits), or comes to anything else that is more than computing (then it can move).
 *                All of it is taken back: its stack, and the bytes of an atomic update
 *
 * A thread rehearses before a choice is made, whenever the value is another than the last time, or memory came to its
 * end meanwhile. Nobody else moves in a rehearsal, and nothing of it is recorded: the answer depends on the thread's
 * state and the value alone.
 */
#include "awaits.h"
#include "accesses.h"
#include "ends.h"
#include "executor.h"
#include "fiber.h"
#include "input_values.h"
#include "memory.h"
#include "sharing.h"
#include "spin.h"
#include "trace.h"

/* ---- what is marked ---- */

static bool is_shared(uint64_t address) {
  const struct granule *granule = sharing_record_at(address);
  return granule && granule->shared >> (address & 7) & 1;
}

static void make_shared(uint64_t address) {
  if (is_shared(address)) return;
  rt->has_marked = true;
  sharing_make_shared(address, 1);
}

/* rounds.c has the first byte of a site. */
static uint64_t mark_of(site_id site) {
  return (uint64_t)site + 1;
}

/* Shared once some place is marked, and once a thread has looked at the clock where one is. */
#define ANY_MARK ((uint64_t)&rt->rehearsal)
#define CLOCK_MARK (ANY_MARK + 1)

static bool is_possible(void) {
  return !(rt->channel->options & RUN_SPINS) && !rt->kernel_threads && !inputs_are_followed();
}

void awaits_mark(site_id site) {
  if (!is_possible() || !site) return;
  make_shared(ANY_MARK);
  make_shared(mark_of(site));
}

void awaits_begin_run(void) {
  rt->n_awaits = rt->n_lifetimes = 0;
  rt->rehearsal.thread = NULL;
  rt->marks_awaits = is_possible() && is_shared(ANY_MARK);
}

void awaits_see_clock(void) {
  if (is_shared(ANY_MARK)) make_shared(CLOCK_MARK);
}

/* ---- standing before a read ---- */

static uint64_t state_bytes(const struct thread *thread, const struct visit *visit) {
  return thread->stack_top - (uint64_t)visit->frame;
}

/* Called by the program itself, and not for it by a model: then nothing is left to do but to perform the access. */
static bool is_called_by_program(const struct visit *visit) {
  return !executor_is_in_runtime(((const uint64_t *)visit->frame)[6]);
}

static bool can_wait(const struct thread *thread, const struct visit *visit) {
  return visit->site && is_shared(mark_of(visit->site)) && is_possible() && sharing_is_possible() &&
         rt->section_owner != thread->id && !thread->in_guard && !rt->trial && is_called_by_program(visit) &&
         state_bytes(thread, visit) <= SPIN_STATE_BYTES;
}

void awaits_come(struct thread *thread, const struct visit *visit, uint8_t kind) {
  struct await *await = &thread->await;
  if (thread->spin.parked || !can_wait(thread, visit)) return;
  *await = (struct await){.is_on = true, .kind = kind, .visit = *visit, .state = spin_state_mark(thread, visit)};
  rt->n_awaits++;
}

void awaits_leave(struct thread *thread) {
  if (!thread->await.is_on) return;
  thread->await.is_on = false;
  rt->n_awaits--;
}

/* ---- before a choice ---- */

static void rehearse(struct thread *thread) {
  const struct await *await = &thread->await;
  rt->rehearsal.thread = thread;
  rt->rehearsal.asker = self();
  rt->rehearsal.value = await->value;
  rt->rehearsal.went_too_far = false;
  fiber_visit_root(); /* rehearsal_perform() */
  if (rt->rehearsal.went_too_far) finish_at_limit("a loop that does more than can be taken back");
}

/* The memory may be gone, which is for the program to find out. */
static void look_ahead(struct thread *thread) {
  struct await *await = &thread->await;
  const struct watched *read = &await->visit.read;
  uint64_t value;
  const bool is_there = trace_peek(read->address, read->size, &value);
  if (is_there && await->is_known && await->value == value && await->lifetimes == rt->n_lifetimes) return;
  await->value = value;
  await->lifetimes = rt->n_lifetimes;
  await->is_known = is_there;
  await->leads_on = true;
  const bool is_taken = await->kind == EVENT_ATOMIC_EXCHANGE_DONE && value == thread->operation.expected;
  if (is_there && !is_taken) rehearse(thread);
}

void awaits_look_ahead(void) {
  for (uint32_t w = 0; w < rt->n_words; w++)
    for (uint64_t rest = rt->waiting.words[w]; rest; rest &= rest - 1) {
      struct thread *thread = &rt->threads[w * 64 + (unsigned)__builtin_ctzll(rest)];
      if (thread->await.is_on && !thread->is_signalled) look_ahead(thread);
    }
}

/* ---- in a rehearsal ---- */

void rehearsal_end(void) {
  fiber_return_to_root();
}

static bool is_back(const struct visit *visit, uint8_t kind) {
  const struct thread *thread = self();
  const struct await *await = &thread->await;
  const struct rehearsal *rehearsal = &rt->rehearsal;
  const struct visit *from = &await->visit;
  if (kind != await->kind || visit->site != from->site || visit->frame != from->frame ||
      visit->read.address != from->read.address || visit->read.size != from->read.size)
    return false;
  if (visit->read.value != await->value || thread->progress != rehearsal->progress) return false;
  if (thread->clock_nanoseconds != rehearsal->clock_nanoseconds && is_shared(CLOCK_MARK)) return false;
  const struct state_mark state = spin_state_mark(thread, visit);
  return state.low == await->state.low && state.high == await->state.high;
}

/* If it is back, the read that it could have performed is looked at as if it had been: with which accesses it races. */
void rehearsal_read(const struct visit *visit, uint8_t kind) {
  struct thread *thread = self();
  if (is_back(visit, kind)) {
    thread->await.leads_on = false;
    spin_leave_out_round();
    rt->rehearsal.thread = NULL; /* a race may end the run */
    accesses_glance(kind, visit->read.address, visit->read.size, visit->site);
    rt->rehearsal.thread = thread;
  }
  rehearsal_end();
}

void rehearsal_write(uint64_t address, uint64_t size) {
  const struct thread *thread = self();
  if (address < thread->stack_bottom || address + size > thread->stack_top) rehearsal_end();
  for (uint64_t i = 0; i < size; i++)
    if (is_shared(address + i)) rehearsal_end();
}

void rehearsal_begin(void) {
  const struct await *await = &self()->await;
  memory_check(await->visit.read.address, await->visit.read.size, await->kind == EVENT_ATOMIC_UPDATE,
               await->visit.site);
}

/* ---- on the executor's stack ---- */

/* Whatever leaves the program, or is recorded, changes one of these. */
static uint64_t trace_so_far(const struct thread *thread) {
  return rt->n_events + ((uint64_t)rt->n_observations << 20) + (rt->n_live << 32) + ((uint64_t)thread->state << 48) +
         ((uint64_t)thread->operation.kind << 56);
}

static void keep(struct rehearsal *rehearsal) {
  const struct thread *thread = rehearsal->thread;
  rehearsal->stack_pointer = thread->stack_pointer;
  rehearsal->bytes = thread->stack_top - (uint64_t)thread->stack_pointer;
  rehearsal->progress = thread->progress;
  rehearsal->traced = trace_so_far(thread);
  rehearsal->clock_nanoseconds = thread->clock_nanoseconds;
  rehearsal->at_site = thread->at_site;
  rehearsal->called_before = thread->called_before;
  rehearsal->site = __heddle_site;
  memcpy(rehearsal->stack, thread->stack_pointer, rehearsal->bytes);
}

static void put_bytes_back(const struct rehearsal *rehearsal, const struct watched *read) {
  uint64_t now;
  if (trace_peek(read->address, read->size, &now) && now != rehearsal->value)
    memcpy((void *)read->address, &rehearsal->value, read->size);
}

static void put_back(struct rehearsal *rehearsal) {
  struct thread *thread = rehearsal->thread;
  memcpy(rehearsal->stack_pointer, rehearsal->stack, rehearsal->bytes);
  put_bytes_back(rehearsal, &thread->await.visit.read);
  thread->stack_pointer = rehearsal->stack_pointer;
  thread->progress = rehearsal->progress;
  thread->clock_nanoseconds = rehearsal->clock_nanoseconds;
  thread->at_site = rehearsal->at_site;
  thread->called_before = rehearsal->called_before;
  __heddle_site = rehearsal->site;
}

bool rehearsal_perform(void) {
  struct rehearsal *rehearsal = &rt->rehearsal;
  if (!rehearsal->thread) return false;
  if (rehearsal->thread->stack_top - (uint64_t)rehearsal->thread->stack_pointer <= REHEARSED_BYTES) {
    keep(rehearsal);
    fiber_enter_frame(rehearsal->thread, rehearsal->thread->await.visit.frame);
    if (!rehearsal->thread) return false;
    rehearsal->went_too_far = trace_so_far(rehearsal->thread) != rehearsal->traced;
    put_back(rehearsal);
  }
  rehearsal->thread = NULL;
  rt->current = rehearsal->asker;
  return true;
}
