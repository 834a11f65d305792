/* SPDX-License-Identifier: MIT
 *
 * Whose turn it is. A thread that reaches a visible operation announces it and looks for the next thread to run: first
 * any thread that is still LOCAL (so that in the end all of them stand before an operation), then the one that the
 * plan's prefix, or its policy, names. There is no scheduler fiber: the thread that stops switches straight to the one
 * that continues.
 */
#include "schedule.h"
#include "awaits.h"
#include "cancel.h"
#include "checkpoint.h"
#include "choose.h"
#include "constructs.h"
#include "cycles.h"
#include "ends.h"
#include "fiber.h"
#include "filelocks.h"
#include "model/object.h"
#include "pipes.h"
#include "process.h"
#include "queues.h"
#include "rounds.h"
#include "signalling.h"
#include "spin.h"
#include "trace.h"
#include "twins.h"

site_id take_site(void) {
  const site_id site = (site_id)(uint64_t)__heddle_site;
  if (controlled) rehearsal_check();
  __heddle_site = NULL;
  if (site && controlled) self()->at_site = site;
  return site;
}

/* ---- who can move ---- */

/* A thread that times out again and again while another could move says nothing new and may never end: after so many
 * time-outs in a row, every thread that can move must have moved since the last one. */
#define TIME_OUTS_IN_A_ROW 3u

static bool was_left_behind(const struct object *mutex) {
  return mutex->robustness != NOT_ROBUST && rt->threads[mutex->owner].state == ENDED;
}

bool mutex_is_available(const struct object *mutex) {
  return mutex->owner == NO_THREAD || was_left_behind(mutex);
}

static bool writer_waits(const struct object *lock) {
  for (uint32_t i = 0; i <= rt->highest_thread; i++) {
    const struct thread *thread = &rt->threads[i];
    if (thread->state == AT_OPERATION && thread->operation.kind == EVENT_RWLOCK_WRITE &&
        thread->operation.object == lock)
      return true;
  }
  return false;
}

/* The object, as src/model has it. */
static struct object_state state_of(const struct object *object) {
  struct object_state state = {.owner = object->owner, .count = object->count, .limit = object->needed};
  if (object->class == RWLOCK_OBJECT && object->type && object->count) {
    state.is_preferred = true;
    state.asking = writer_waits(object);
  }
  return state;
}

static struct asker asker_for(const struct object *object, const struct thread *thread) {
  struct asker asker = {.thread = thread->id, .is_signalled = thread->signalled};
  if (kind_class(thread->operation.kind) != CLASS_MUTEX) return asker; /* streams are locked as mutexes are */
  asker.may_nest = object->type != MUTEX_NORMAL;
  asker.owner_ended = object->owner != NO_THREAD && was_left_behind(object);
  return asker;
}

static bool is_there_for(const struct object *object, uint8_t kind, struct asker asker) {
  const struct object_state state = state_of(object);
  return object_enabled(&state, kind, &asker) == READY_YES;
}

/* A thread that has nothing. */
static const struct asker anybody = {.thread = HEDDLE_MAX_THREADS};

bool rwlock_can_read(const struct object *lock) {
  return is_there_for(lock, EVENT_RWLOCK_READ, anybody);
}

bool rwlock_can_write(const struct object *lock) {
  return is_there_for(lock, EVENT_RWLOCK_WRITE, anybody);
}

static bool can_relock(const struct thread *thread) {
  return (thread->signalled || cancel_is_due(thread)) && mutex_is_available(thread->relock);
}

/* Is what the operation needs there? Of what the model does not follow, the runtime's own models know. */
bool schedule_can_move(const struct thread *thread) {
  const struct object *object = thread->operation.object;
  const uint8_t kind = thread->operation.kind;
  if (thread->is_signalled) return true;
  if (thread->spin.parked) return spin_can_continue(thread);
  if (thread->await.is_on) return thread->await.leads_on;
  if (thread->operation.cancels && cancel_is_due(thread)) return true;
  if (!kind_waits(kind)) return true;
  switch (kind_need(kind)) {
  case NEEDS_RELOCK: return can_relock(thread);
  case NEEDS_END: return rt->threads[object->address].state == ENDED;
  case NEEDS_MESSAGE:
  case NEEDS_ROOM: return port_can_move(thread);
  case NEEDS_DATA:
  case NEEDS_SPACE: return object->class == QUEUE_OBJECT ? queue_can_move(thread) : pipe_can_move(thread);
  case NEEDS_READINESS: return pipe_can_move(thread);
  case NEEDS_WAKE: return thread->signalled;
  case NEEDS_ARRIVAL: return signal_can_move(thread);
  case NEEDS_FILE: return filelock_can_move(thread);
  case NEEDS_PROCESS: return children_allow(thread);
  default: return is_there_for(object, kind, asker_for(object, thread));
  }
}

static bool others_moved_since(uint32_t step) {
  for (uint32_t w = 0; w < rt->n_words; w++)
    for (uint64_t rest = rt->enabled.words[w]; rest; rest &= rest - 1)
      if (rt->threads[w * 64 + (unsigned)__builtin_ctzll(rest)].moved_at <= step) return false;
  return true;
}

/* Adds the threads that have timed out often enough to let others go first. */
static bool add_reluctant(const struct thread_set *reluctant) {
  struct thread_set added = {0};
  bool any = false;
  for (uint32_t w = 0; w < rt->n_words; w++)
    for (uint64_t rest = reluctant->words[w]; rest; rest &= rest - 1) {
      const unsigned bit = (unsigned)__builtin_ctzll(rest);
      if (!others_moved_since(rt->threads[w * 64 + bit].timed_out_at)) {
        rt->left_out = true;
        continue;
      }
      added.words[w] |= 1ull << bit;
      any = true;
    }
  for (uint32_t w = 0; w < rt->n_words; w++) rt->enabled.words[w] |= added.words[w];
  return any;
}

/* Does it wait for a mutex that it can take if nobody has it, and otherwise not? Most that wait do. */
static inline bool waits_for_plain_mutex(const struct thread *thread) {
  const struct operation *operation = &thread->operation;
  return operation->kind == EVENT_MUTEX_LOCK && operation->object->type == MUTEX_NORMAL &&
         operation->object->robustness == NOT_ROBUST && !operation->can_give_up && !operation->cancels &&
         !thread->spin.parked && !thread->is_signalled && !thread->rests;
}

/* Nobody but threads that rest can move. */
static bool add_resting(const struct thread_set *resting) {
  uint64_t any = 0;
  for (uint32_t w = 0; w < rt->n_words; w++) any |= rt->enabled.words[w] = resting->words[w];
  rt->is_let_go = any;
  return any;
}

static __attribute__((noinline)) bool ask_all(void) {
  struct thread_set reluctant, resting;
  uint64_t any = 0, any_reluctant = 0;
  rt->is_let_go = false;
  for (uint32_t w = 0; w < rt->n_words; w++) {
    uint64_t enabled = rt->ready.words[w];
    reluctant.words[w] = resting.words[w] = 0;
    for (uint64_t rest = rt->waiting.words[w]; rest; rest &= rest - 1) {
      const unsigned bit = (unsigned)__builtin_ctzll(rest);
      const struct thread *thread = &rt->threads[w * 64 + bit];
      if (waits_for_plain_mutex(thread)) {
        enabled |= (uint64_t)(thread->operation.object->owner == NO_THREAD) << bit;
        continue;
      }
      const bool gives_up = thread->operation.can_give_up;
      if (rounds_hold_back(thread)) {
        if (rounds_let_go(thread) && schedule_can_move(thread)) resting.words[w] |= 1ull << bit;
      } else if (schedule_can_move(thread) || (gives_up && thread->time_outs < TIME_OUTS_IN_A_ROW))
        enabled |= 1ull << bit;
      else if (gives_up)
        reluctant.words[w] |= 1ull << bit;
    }
    rt->enabled.words[w] = enabled;
    any |= enabled;
    any_reluctant |= reluctant.words[w];
  }
  if ((any_reluctant && add_reluctant(&reluctant)) || any) return true;
  return rt->n_attentive && add_resting(&resting);
}

/* The same of at most 64 threads, if none rests: those that wait may all wait for plain mutexes. */
static __attribute__((noinline)) uint64_t ask_few(void) {
  uint64_t enabled = rt->ready.words[0];
  for (uint64_t rest = rt->waiting.words[0]; rest; rest &= rest - 1) {
    const unsigned id = (unsigned)__builtin_ctzll(rest);
    const struct thread *thread = &rt->threads[id];
    if (UNLIKELY(!waits_for_plain_mutex(thread))) return ask_all() ? rt->enabled.words[0] : 0;
    enabled |= (uint64_t)(thread->operation.object->owner == NO_THREAD) << id;
  }
  rt->is_let_go = false;
  return rt->enabled.words[0] = enabled;
}

/* If nobody waits, nothing is to be asked. */
static inline uint64_t find_enabled_of_few(void) {
  return rt->waiting.words[0] ? ask_few() : (rt->enabled.words[0] = rt->ready.words[0]);
}

static bool find_enabled(void) {
  const bool any = rt->is_wide || rt->n_attentive ? ask_all() : find_enabled_of_few() != 0;
  if (rt->has_twins) twins_hold_back();
  return any;
}

/* ---- going on ---- */

static struct thread *take_local(void) {
  uint32_t w = 0;
  while (!rt->local.words[w]) w++;
  struct thread *thread = &rt->threads[w * 64 + (unsigned)__builtin_ctzll(rt->local.words[w])];
  set_remove(&rt->local, thread->id);
  rt->n_local--;
  return thread;
}

void schedule_local(struct thread *thread) {
  thread->state = LOCAL;
  set_add(&rt->local, thread->id);
  rt->n_local++;
}

/* After how many time-outs in a row it may time out depends on what all others did since; so the last one that needs
 * nothing of them must not change places with their steps either. */
static INLINED uint8_t flags_without_rest(const struct thread *thread) {
  if (thread->spin.parked) return spin_watches_many(thread) ? EVENT_PARKED | EVENT_OF_ALL : EVENT_PARKED;
  if (thread->await.is_on) return EVENT_PARKED;
  if (!thread->operation.can_give_up || thread->time_outs + 1 < TIME_OUTS_IN_A_ROW) return 0;
  return thread->time_outs < TIME_OUTS_IN_A_ROW ? EVENT_OF_ALL : EVENT_PARKED | EVENT_OF_ALL;
}

INLINED uint8_t schedule_step_flags(const struct thread *thread) {
  return thread->rests ? EVENT_PARKED | EVENT_OF_ALL : flags_without_rest(thread);
}

/* Of those that can move: one, which begins its step. */
static struct thread *begin_step(void) {
  struct thread *chosen = choose_thread();
  set_remove(&rt->ready, chosen->id);
  set_remove(&rt->waiting, chosen->id);
  chosen->state = LOCAL;
  if (rt->looks_for_twins) twins_step(chosen);
  if (UNLIKELY(rt->cycle.is_on)) cycles_step(chosen);
  chosen->step_flags = schedule_step_flags(chosen) | (rt->is_carried ? EVENT_CARRIED : 0);
  chosen->spin.parked = false;
  if (chosen->rests && !rt->is_let_go) rounds_wake(chosen);
  return chosen;
}

/* The same if nothing is unusual: then nobody rests. A run that starts from a checkpoint here may have another plan. */
static INLINED struct thread *begin_usual_step(uint64_t enabled) {
  if (UNLIKELY(checkpoint_is_due())) return begin_step();
  struct thread *chosen = choose_usually(enabled);
  const uint64_t others = ~(1ull << chosen->id);
  rt->ready.words[0] &= others;
  rt->waiting.words[0] &= others;
  chosen->state = LOCAL;
  chosen->step_flags = 0;
  if (UNLIKELY(rt->cycle.is_on)) cycles_step(chosen);
  if (UNLIKELY(chosen->spin.parked | chosen->operation.can_give_up)) {
    chosen->step_flags = schedule_step_flags(chosen);
    chosen->spin.parked = false;
  }
  return chosen;
}

/* Nobody can move. */
static __attribute__((noinline)) struct thread *begin_step_later(void) {
  if (!timer_let_time_pass()) finish_stuck_run();
  return begin_step();
}

/* The thread to run next: may be the one that asks. */
static struct thread *next_thread(void) {
  rehearsal_check();
  spin_note_opaque_calls(self());
  if (rt->n_local) return take_local();
  if (rt->ends_soon) finish_late_run();
  if (UNLIKELY(rt->n_awaits)) awaits_look_ahead();
  return find_enabled() ? begin_step() : begin_step_later();
}

static __attribute__((noinline)) void check_guard(const struct thread *thread, const struct operation *operation) {
  if (thread->in_guard)
    finish_run_with_message(OUTCOME_LOCK_MISUSE, operation->site, operation->address,
                            "a guard of a selective wait waits");
}

/* While others run they may send signals to the thread. */
static INLINED void switch_to(struct thread *thread, struct thread *next) {
  if (next == thread) return;
  fiber_switch(thread, next);
  if (UNLIKELY(thread->is_signalled)) signal_arrive(thread);
}

void schedule_announced(struct thread *thread) {
  if (thread->operation.can_block) check_guard(thread, &thread->operation);
  thread->spin.suspected = 0;
  const bool may_wait = thread->operation.can_block || thread->spin.parked || thread->rests || thread->await.is_on;
  /* Inside an atomic section there is no choice, unless the section cannot continue. */
  if (rt->section_owner == thread->id && (!may_wait || schedule_can_move(thread))) {
    thread->spin.parked = false;
    return;
  }
  thread->state = AT_OPERATION;
  set_add(may_wait ? &rt->waiting : &rt->ready, thread->id);
  switch_to(thread, next_thread());
}

INLINED void schedule_in_line(struct thread *thread, bool can_block) {
  if (UNLIKELY(!is_usual() || thread->in_guard)) {
    schedule_announced(thread);
    return;
  }
  spin_note_opaque_calls(thread);
  if (UNLIKELY(thread->spin.suspected)) thread->spin.suspected = 0;
  thread->state = AT_OPERATION;
  if (can_block || UNLIKELY(thread->spin.parked))
    rt->waiting.words[0] |= 1ull << thread->id;
  else
    rt->ready.words[0] |= 1ull << thread->id;
  const uint64_t enabled = find_enabled_of_few();
  switch_to(thread, enabled ? begin_usual_step(enabled) : begin_step_later());
}

void schedule_wake_from_join(struct thread *thread) {
  thread->joining = NO_THREAD;
  schedule_local(thread);
}

void schedule_leave(void) {
  fiber_leave_to(next_thread());
}

void schedule_others(void) {
  fiber_switch_to(next_thread());
}

/* It stands before nothing, and waits for nothing. */
void schedule_park_for_good(uint64_t instruction) {
  struct thread *thread = self();
  trace_complete_value(thread);
  thread->operation = (struct operation){.kind = EVENT_NONE, .address = instruction};
  thread->spin.parked = true;
  thread->spin.n_watched = 0;
  thread->state = AT_OPERATION;
  set_add(&rt->waiting, thread->id);
  schedule_leave();
}

void schedule_wait_for_join(thread_id target, site_id site) {
  struct thread *thread = self();
  trace_complete_value(thread);
  thread->joining = target;
  rt->threads[target].n_joiners++;
  rt->threads[target].last_joiner = thread->id;
  thread->operation = (struct operation){.kind = EVENT_THREAD_JOIN, .address = target, .site = site};
  check_guard(thread, &thread->operation);
  thread->state = JOINING;
  fiber_switch_to(next_thread());
  while (thread->is_signalled) {
    signal_arrive_while_joining(thread);
    if (rt->threads[target].state == ENDED) return;
    thread->state = JOINING;
    fiber_switch_to(next_thread());
  }
}

/* Not a choice: who waits at a barrier continues when it opens. */
void schedule_wait_at_barrier(struct object *barrier, site_id site) {
  struct thread *thread = self();
  thread->operation =
      (struct operation){.kind = EVENT_BARRIER_LEAVE, .address = barrier->address, .object = barrier, .site = site};
  check_guard(thread, &thread->operation);
  thread->state = AT_BARRIER;
  fiber_switch_to(next_thread());
}

/* Nor is this. */
void schedule_hold(uint8_t kind, struct object *object, site_id site) {
  struct thread *thread = self();
  trace_complete_value(thread);
  thread->operation = (struct operation){.kind = kind, .address = object->address, .object = object, .site = site};
  check_guard(thread, &thread->operation);
  thread->state = HELD;
  fiber_switch_to(next_thread());
}

void schedule_open_barrier(const struct object *barrier) {
  for (uint32_t i = 0; i <= rt->highest_thread; i++) {
    struct thread *thread = &rt->threads[i];
    if (thread->state == AT_BARRIER && thread->operation.object == barrier) schedule_local(thread);
  }
}

static void wake_if_joining(struct thread *thread, const struct thread *ended) {
  if (thread->state == JOINING && thread->joining == ended->id) schedule_local(thread);
}

static void wake_joiners_of(const struct thread *ended) {
  if (ended->n_joiners == 1) wake_if_joining(&rt->threads[ended->last_joiner], ended);
  if (ended->n_joiners <= 1) return;
  for (uint32_t i = 0; i <= rt->highest_thread; i++) wake_if_joining(&rt->threads[i], ended);
}

void schedule_thread_ended(void) {
  struct thread *thread = self();
  trace_complete_value(thread);
  trace_record(EVENT_THREAD_END, 0, 0, 0)->value = (uint64_t)self()->result;
  twins_end_thread(thread);
  thread->state = ENDED;
  thread->cancellation.version++; /* for who spins on pthread_tryjoin_np */
  rt->n_live--;
  wake_joiners_of(thread);
  schedule_leave();
}
