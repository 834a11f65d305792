/* SPDX-License-Identifier: MIT
 *
 * Whose turn it is. A thread that comes to a visible operation announces it and looks for the next thread to run: first
 * any thread that is still LOCAL (so that in the end all of them stand before an operation), then the one that the
 * plan's prefix, or its policy, names. There is no scheduler fiber: the thread that stops switches straight to the one
 * that goes on.
 */
#include "constructs.h"
#include "model/object.h"
#include "pipes.h"
#include "queues.h"
#include "terms.h"

#define RARELY 16 /* schedule_rare_choice, of a policy that draws */

const struct site *__heddle_site;
const struct site *__heddle_return_site;
uint64_t __heddle_opaque_calls;
uint64_t __heddle_unseen_writes;
const struct site *__heddle_opaque_site;

site_id take_site(void) {
  const site_id site = (site_id)(uint64_t)__heddle_site;
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
static bool can_move(const struct thread *thread) {
  const struct object *object = thread->operation.object;
  const uint8_t kind = thread->operation.kind;
  if (thread->spin.parked) return spin_can_continue(thread);
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

/* Nobody waits, and there are at most 64 threads: nothing is to be asked. */
static inline bool all_are_ready(void) {
  return rt->n_words == 1 && !rt->waiting.words[0];
}

static bool find_enabled(void) {
  if (all_are_ready()) return rt->enabled.words[0] = rt->ready.words[0];
  struct thread_set reluctant;
  uint64_t any = 0, any_reluctant = 0;
  for (uint32_t w = 0; w < rt->n_words; w++) {
    uint64_t enabled = rt->ready.words[w];
    reluctant.words[w] = 0;
    for (uint64_t rest = rt->waiting.words[w]; rest; rest &= rest - 1) {
      const unsigned bit = (unsigned)__builtin_ctzll(rest);
      const struct thread *thread = &rt->threads[w * 64 + bit];
      const bool gives_up = thread->operation.can_give_up;
      if (can_move(thread) || (gives_up && thread->time_outs < TIME_OUTS_IN_A_ROW))
        enabled |= 1ull << bit;
      else if (gives_up)
        reluctant.words[w] |= 1ull << bit;
    }
    rt->enabled.words[w] = enabled;
    any |= enabled;
    any_reluctant |= reluctant.words[w];
  }
  return (any_reluctant && add_reluctant(&reluctant)) || any;
}

/* ---- who moves ---- */

static uint64_t draw(uint64_t bound) {
  return (uint64_t)((unsigned __int128)next_random(&rt->random_state) * bound >> 64);
}

static thread_id lowest_of(const struct thread_set *set) {
  for (uint32_t w = 0;; w++)
    if (set->words[w]) return (thread_id)(w * 64 + (unsigned)__builtin_ctzll(set->words[w]));
}

/* The one after `skip` others. */
static thread_id thread_in(uint64_t word, uint64_t skip) {
  while (skip--) word &= word - 1;
  return (thread_id)__builtin_ctzll(word);
}

static uint64_t count_in(uint64_t word) {
  uint64_t count = 0;
  for (; word; word &= word - 1) count++;
  return count;
}

static thread_id random_of(const struct thread_set *set) {
  if (rt->n_words == 1) {
    const uint64_t few = count_in(set->words[0]);
    return thread_in(set->words[0], few == 1 ? 0 : draw(few));
  }
  uint64_t count = 0;
  for (uint32_t w = 0; w < rt->n_words; w++) count += (uint64_t)__builtin_popcountll(set->words[w]);
  uint64_t skip = count == 1 ? 0 : draw(count);
  for (uint32_t w = 0;; w++) {
    const uint64_t word = set->words[w];
    const uint64_t here = (uint64_t)__builtin_popcountll(word);
    if (skip >= here) {
      skip -= here;
      continue;
    }
    return (thread_id)(w * 64 + thread_in(word, skip));
  }
}

static thread_id highest_priority(const struct thread_set *set) {
  thread_id best = NO_THREAD;
  for (uint32_t i = 0; i <= rt->highest_thread; i++)
    if (set_has(set, (thread_id)i) && (best == NO_THREAD || rt->threads[i].priority > rt->threads[best].priority))
      best = (thread_id)i;
  return best;
}

/* PCT: priorities above all change points' at first; at the i-th change point the running thread gets priority i. */
void draw_priorities(void) {
  rt->n_priority_changes = rt->plan->priority_changes < 64 ? rt->plan->priority_changes : 64;
  for (uint32_t i = 0; i < rt->n_priority_changes; i++)
    rt->priority_steps[i] = (uint32_t)draw(rt->plan->expected_steps ? rt->plan->expected_steps : 1);
}

static thread_id prioritised(const struct thread_set *set) {
  for (uint32_t i = 0; i < rt->n_priority_changes; i++)
    if (rt->priority_steps[i] == rt->n_steps) rt->threads[highest_priority(set)].priority = i;
  return highest_priority(set);
}

/* PLAN_SOLO, behind the steps of the plan. */
static thread_id solo(void) {
  const thread_id thread = (thread_id)rt->plan->solo;
  if (thread > rt->highest_thread || !set_has(&rt->enabled, thread)) finish_run(OUTCOME_STOPPED, 0, 0);
  return thread;
}

static thread_id by_policy(void) {
  if (rt->plan->flags & PLAN_SOLO) return solo();
  const struct thread_set *set = rt->n_asleep ? sleep_awake() : &rt->enabled;
  switch (rt->plan->policy) {
  case POLICY_RANDOM: return random_of(set);
  case POLICY_PRIORITY: return prioritised(set);
  default: return rt->last_thread != NO_THREAD && set_has(set, rt->last_thread) ? rt->last_thread : lowest_of(set);
  }
}

static _Noreturn void diverge(const char *why) {
  finish_run_with_message(OUTCOME_DIVERGED, self()->operation.site, rt->n_steps, why);
}

static bool plan_names_one_that_can_move(void) {
  const thread_id thread = rt->plan->steps[rt->plan_position].thread;
  return thread <= rt->highest_thread && set_has(&rt->enabled, thread);
}

static bool plan_has_step(void) {
  if (rt->trial) return false;
  if (rt->plan->flags & PLAN_TRY_LAST && rt->plan_position + 1 == rt->plan->n_steps && !plan_names_one_that_can_move())
    rt->plan_position++;
  if (rt->plan->flags & PLAN_LENIENT)
    while (rt->plan_position < rt->plan->n_steps && !plan_names_one_that_can_move()) rt->plan_position++;
  return rt->plan_position < rt->plan->n_steps;
}

static thread_id by_plan(void) {
  if (rt->plan->flags & PLAN_MAY_STOP && !plan_names_one_that_can_move()) finish_run(OUTCOME_SLEEP_BLOCKED, 0, 0);
  if (!plan_names_one_that_can_move()) diverge("the thread the plan names next cannot move");
  rt->planned = &rt->plan->steps[rt->plan_position++];
  return rt->planned->thread;
}

static struct thread *choose(void) {
  rt->planned = NULL;
  if (rt->n_asleep) sleep_look_at_events();
  const thread_id id = rt->trial ? random_of(&rt->enabled) : plan_has_step() ? by_plan() : by_policy();
  if (rt->n_steps >= rt->plan->max_events) finish_run(OUTCOME_TOO_MANY_EVENTS, self()->operation.site, 0);
  rt->n_steps++;
  rt->threads[id].moved_at = rt->n_steps;
  rt->switches += rt->last_thread != NO_THREAD && rt->last_thread != id;
  rt->last_thread = id;
  atomic_store_explicit(&rt->channel->heartbeat, ++rt->total_steps, memory_order_relaxed);
  return &rt->threads[id];
}

uint16_t schedule_alternative(uint16_t count) {
  uint16_t alternative = 0;
  if (rt->planned)
    alternative = rt->planned->alternative;
  else if (count > 1 && rt->plan->policy != POLICY_CONTINUE)
    alternative = (uint16_t)draw(count);
  if (alternative < count) return alternative;
  if (!(rt->plan->flags & PLAN_LENIENT)) diverge("the plan's alternative does not exist");
  return 0;
}

/* A step that only the running thread can take: it commutes with all that the others do. */
static bool plan_has_own_step(void) {
  if (rt->trial || rt->plan_position >= rt->plan->n_steps) return false;
  return !(rt->plan->flags & PLAN_LENIENT) || plan_names_one_that_can_move();
}

bool schedule_rare_choice(uint16_t ways) {
  trace_complete_value(self());
  memset(rt->enabled.words, 0, rt->n_words * sizeof rt->enabled.words[0]);
  set_add(&rt->enabled, self()->id);
  rt->planned = NULL;
  self()->step_flags = 0;
  if (plan_has_own_step()) by_plan();
  if (rt->n_steps >= rt->plan->max_events) finish_run(OUTCOME_TOO_MANY_EVENTS, self()->operation.site, 0);
  rt->n_steps++;
  atomic_store_explicit(&rt->channel->heartbeat, ++rt->total_steps, memory_order_relaxed);
  if (rt->planned && rt->planned->alternative >= ways && !(rt->plan->flags & PLAN_LENIENT))
    diverge("the plan's alternative does not exist");
  if (ways == 1) return false;
  if (rt->planned) return rt->planned->alternative;
  return rt->plan->policy != POLICY_CONTINUE && draw(RARELY) == 0;
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

static bool somebody_spins(void) {
  for (uint32_t i = 0; i <= rt->highest_thread; i++)
    if (rt->threads[i].state == AT_OPERATION && rt->threads[i].spin.parked) return true;
  return false;
}

static _Noreturn void end_run(enum outcome outcome, site_id site, uint64_t address, thread_id thread);

/* All threads have ended, or one ends the process. */
static _Noreturn void finish_with_status(void) {
  rt->status = rt->exit.status & 0xff; /* what the parent of the process sees of it */
  if (!process_exit_fails(rt->exit.status)) finish_run(OUTCOME_FINISHED, 0, 0);
  attempt_end_run(OUTCOME_EXIT);
  memcpy(rt->message, rt->exit.how, string_length(rt->exit.how) + 1);
  end_run(OUTCOME_EXIT, rt->exit.site, 0, rt->exiting);
}

static _Noreturn void nobody_can_move(void) {
  if (rt->late.outcome != OUTCOME_NONE && process_exit_fails(rt->exit.status)) rt->late.hides = true;
  finish_late_run();
  if (rt->exiting != NO_THREAD || rt->n_live == 0) finish_with_status();
  finish_run(somebody_spins() ? OUTCOME_LIVELOCK : OUTCOME_DEADLOCK, self()->operation.site, self()->operation.address);
}

/* After how many time-outs in a row it may time out depends on what all others did since; so the last one that needs
 * nothing of them must not change places with their steps either. */
static uint8_t flags_of_step(const struct thread *thread) {
  if (thread->spin.parked) return spin_watches_many(thread) ? EVENT_PARKED | EVENT_OF_ALL : EVENT_PARKED;
  if (!thread->operation.can_give_up || thread->time_outs + 1 < TIME_OUTS_IN_A_ROW) return 0;
  return thread->time_outs < TIME_OUTS_IN_A_ROW ? EVENT_OF_ALL : EVENT_PARKED | EVENT_OF_ALL;
}

/* The thread to run next: may be the one that asks. */
static struct thread *next_thread(void) {
  spin_note_opaque_calls(self());
  if (rt->n_local) return take_local();
  if (rt->late.is_soon) finish_late_run();
  if (!find_enabled()) nobody_can_move();
  struct thread *chosen = choose();
  set_remove(&rt->ready, chosen->id);
  set_remove(&rt->waiting, chosen->id);
  chosen->state = LOCAL;
  chosen->step_flags = flags_of_step(chosen);
  chosen->spin.parked = false;
  return chosen;
}

static void check_guard(const struct thread *thread, const struct operation *operation) {
  if (thread->in_guard)
    finish_run_with_message(OUTCOME_LOCK_MISUSE, operation->site, operation->address,
                            "a guard of a selective wait waits");
}

void schedule_announced(struct thread *thread) {
  if (thread->operation.can_block) check_guard(thread, &thread->operation);
  thread->spin.suspected = 0;
  const bool may_wait = thread->operation.can_block || thread->spin.parked;
  /* Inside an atomic section there is no choice, unless the section cannot go on. */
  if (rt->section_owner == thread->id && (!may_wait || can_move(thread))) {
    thread->spin.parked = false;
    return;
  }
  thread->state = AT_OPERATION;
  set_add(may_wait ? &rt->waiting : &rt->ready, thread->id);
  struct thread *next = next_thread();
  if (next != thread) fiber_switch_to(next);
}

void schedule_wake_from_join(struct thread *thread) {
  thread->joining = NO_THREAD;
  schedule_local(thread);
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
  fiber_leave_to(next_thread());
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
}

/* Not a choice: who waits at a barrier goes on when it opens. */
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
  thread->state = ENDED;
  thread->cancellation.version++; /* for who spins on pthread_tryjoin_np */
  rt->n_live--;
  wake_joiners_of(thread);
  fiber_leave_to(next_thread());
}

/* Each of the threads that want to end the process could be the first to do it: none of them waits for another. So one
 * with a status that fails decides how the run ends; of several the one with the lowest id, whatever their order. */
static bool decides_end(const struct thread *thread, int status) {
  if (rt->exiting == NO_THREAD) return true;
  const bool both_fail = process_exit_fails(status) && process_exit_fails(rt->exit.status);
  rt->late.hides |= both_fail;
  return both_fail ? thread->id < rt->exiting : process_exit_fails(status);
}

/* The end of the process takes away what other threads could still have done, so it comes when they cannot. */
void schedule_exit(struct process_exit end) {
  struct thread *thread = self();
  trace_complete_value(thread);
  trace_record(EVENT_PROCESS_EXIT, (uint32_t)end.status, 0, end.site);
  if (decides_end(thread, end.status)) {
    rt->exiting = thread->id;
    rt->exit = end;
  }
  thread->operation = (struct operation){.kind = EVENT_PROCESS_EXIT};
  thread->state = EXITING;
  fiber_leave_to(next_thread());
}

/* ---- the end ---- */

static _Noreturn void end_run(enum outcome outcome, site_id site, uint64_t address, thread_id thread) {
  for (uint32_t i = 0; i <= rt->highest_thread; i++)
    if (rt->threads[i].state != ABSENT) trace_complete_value(&rt->threads[i]);
  rt->outcome = outcome;
  rt->outcome_site = site;
  rt->outcome_address = address;
  rt->outcome_thread = thread;
  fiber_return_to_root();
}

void finish_late_run(void) {
  if (rt->late.outcome == OUTCOME_NONE) return;
  memcpy(rt->message, rt->late.message, MESSAGE_BYTES);
  end_run(rt->late.outcome, rt->late.site, rt->late.address, rt->late.thread);
}

/* What the thread says of itself, between its operations. The others go on: to their ends if the plan says so, and
 * otherwise until each of them stands before an operation, as they do wherever a step is chosen. Without that a thread
 * that fails at once would keep those from ever moving that have not come to an operation yet, and what they share with
 * it would never be known. */
static bool can_end_late(enum outcome outcome) {
  return (rt->plan->flags & PLAN_LATE_END || rt->n_local > 0) && !rt->trial &&
         (outcome == OUTCOME_ASSERTION || outcome == OUTCOME_ASSUMPTION_FAILED || outcome == OUTCOME_ERROR_REACHED ||
          outcome == OUTCOME_ABORT);
}

static void keep_failure(enum outcome outcome, site_id site, uint64_t address) {
  rt->late.hides |= rt->late.outcome != OUTCOME_NONE;
  if (rt->late.hides) return;
  rt->late.is_soon = !(rt->plan->flags & PLAN_LATE_END);
  rt->late.outcome = outcome;
  rt->late.site = site;
  rt->late.address = address;
  rt->late.thread = self()->id;
  memcpy(rt->late.message, rt->message, MESSAGE_BYTES);
}

static _Noreturn void stop_thread(enum outcome outcome, site_id site) {
  struct thread *thread = self();
  trace_complete_value(thread);
  if (rt->section_owner == thread->id) rt->section_owner = NO_THREAD;
  thread->operation = (struct operation){.kind = EVENT_RUN_END, .address = outcome, .site = site};
  if (!rt->late.is_soon) thread->state = EXITING;
  fiber_leave_to(next_thread());
}

static bool is_bound(enum outcome outcome) {
  return outcome == OUTCOME_TOO_MANY_EVENTS || outcome == OUTCOME_TOO_MUCH_MEMORY || outcome == OUTCOME_LIMIT;
}

void finish_run(enum outcome outcome, site_id site, uint64_t address) {
  attempt_end_run(outcome);
  if (can_end_late(outcome)) {
    keep_failure(outcome, site, address);
    stop_thread(outcome, site);
  }
  if (rt->late.outcome != OUTCOME_NONE && !is_bound(outcome)) {
    rt->late.hides = true;
    finish_late_run();
  }
  rt->late.hides |= rt->n_local > 0;
  end_run(outcome, site, address, self()->id);
}

void finish_run_with_message(enum outcome outcome, site_id site, uint64_t address, const char *message) {
  size_t length = string_length(message);
  if (length > MESSAGE_BYTES - 1) length = MESSAGE_BYTES - 1;
  memcpy(rt->message, message, length);
  rt->message[length] = 0;
  finish_run(outcome, site, address);
}

void finish_at_limit(const char *what) {
  finish_run_with_message(OUTCOME_LIMIT, self()->at_site, 0, what);
}

static void describe_holder(const struct object *object, struct pending *pending) {
  if (!object || object->owner == NO_THREAD) return;
  pending->holder = object->owner;
  pending->holder_site = object->owner_site;
}

static void describe_reader(const struct object *lock, struct pending *pending) {
  for (uint32_t i = 0; i <= rt->highest_thread; i++) {
    const struct thread *thread = &rt->threads[i];
    for (uint32_t k = 0; thread->state != ABSENT && k < thread->n_read_holds; k++) {
      if (thread->read_holds[k].lock != lock) continue;
      pending->holder = thread->id;
      pending->holder_site = thread->read_holds[k].site;
      return;
    }
  }
}

static void describe_wait(const struct thread *thread, struct pending *pending) {
  const struct object *object = thread->operation.object;
  switch (thread->operation.kind) {
  case EVENT_MUTEX_LOCK:
  case EVENT_ONCE_ENTER:
  case EVENT_MONITOR_ENTER:
  case EVENT_SPINLOCK_LOCK: describe_holder(object, pending); break;
  case EVENT_RWLOCK_READ:
  case EVENT_RWLOCK_WRITE:
    describe_holder(object, pending);
    if (object->owner == NO_THREAD) describe_reader(object, pending);
    break;
  case EVENT_CONDITION_WAKE:
    if (thread->signalled) describe_holder(thread->relock, pending);
    break;
  case EVENT_MONITOR_REENTER:
    if (thread->signalled) describe_holder(object, pending);
    break;
  default: break;
  }
}

/* What its event will say besides. */
static void describe_object(const struct thread *thread, struct pending *pending) {
  const struct object *object = thread->operation.object;
  const bool is_wake = pending->kind == EVENT_CONDITION_WAKE;
  if (is_wake || pending->kind == EVENT_CONDITION_WAIT) pending->mutex = thread->relock->address;
  if (is_wake && thread->could_give_up) pending->flags |= EVENT_GIVES_UP;
  if (!object) return;
  if (object->class == RWLOCK_OBJECT && object->type) pending->flags |= EVENT_PREFERS_WRITERS;
  if (object->class != MUTEX_OBJECT || is_wake || object->owner != thread->id) return;
  const bool tries = pending->kind == EVENT_MUTEX_TRYLOCK_DONE;
  const bool again = tries ? object->type == MUTEX_RECURSIVE : object->type != MUTEX_NORMAL;
  if (pending->kind == EVENT_MUTEX_UNLOCK ? object->count > 1 : again) pending->flags |= EVENT_NESTED;
}

/* The memory may be gone: then its value is not known, and nor is what the exchange would do. */
static void describe_exchange(const struct operation *operation, struct pending *pending) {
  if (operation->size > 8) return;
  pending->before = operation->expected;
  if (trace_peek(operation->address, operation->size, &pending->value)) pending->flags |= EVENT_VALUE_KNOWN;
}

void describe_pending(const struct thread *thread, struct pending *pending) {
  *pending = (struct pending){.thread = thread->id, .holder = NO_THREAD};
  if (thread->state == LOCAL) return;
  const struct operation *operation = &thread->operation;
  pending->kind = operation->kind;
  pending->object = operation->address;
  pending->site = operation->site;
  const bool takes_token = operation->kind == EVENT_SEMAPHORE_WAIT || operation->kind == EVENT_SEMAPHORE_TRYWAIT_DONE;
  pending->size = takes_token ? operation->object->count : operation->size;
  pending->flags = flags_of_step(thread) | (operation->can_give_up ? EVENT_GIVES_UP : 0);
  if (operation->kind == EVENT_ATOMIC_EXCHANGE_DONE) describe_exchange(operation, pending);
  if (thread->state == AT_OPERATION) describe_object(thread, pending);
  if (thread->state == JOINING) {
    pending->blocked = 1;
    pending->holder = thread->joining;
  } else if (thread->state == AT_BARRIER) {
    pending->blocked = 1;
    pending->missing = (uint16_t)(operation->object->needed - operation->object->count);
  } else if (thread->state == HELD) {
    pending->blocked = 1;
  } else if (thread->spin.parked) {
    pending->blocked = spin_can_continue(thread) ? 0 : 2;
  } else if (thread->state == AT_OPERATION && operation->can_block && !operation->can_give_up && !can_move(thread)) {
    pending->blocked = 1;
    describe_wait(thread, pending);
  }
}
