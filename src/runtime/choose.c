/* SPDX-License-Identifier: MIT
 *
 * Which of the threads that can move does, and which way its operation goes: as the plan's steps say, and after them as
 * its policy does.
 */
#include "choose.h"

#include "checkpoint.h"
#include "ends.h"
#include "model/kinds.h"
#include "rounds.h"
#include "schedule.h"
#include "sharing.h"
#include "sleep.h"
#include "trace.h"
#include "twins.h"

#define RARELY 16 /* choose_rarely, of a policy that draws */

static uint64_t draw(uint64_t bound) {
  return (uint64_t)((unsigned __int128)next_random(&rt->random_state) * bound >> 64);
}

static thread_id lowest_of(const struct thread_set *set) {
  for (uint32_t w = 0;; w++)
    if (set->words[w]) return (thread_id)(w * 64 + (unsigned)__builtin_ctzll(set->words[w]));
}

/* Of `count` threads, the one after `skip` others. As many turns whichever it is: nobody could foresee another number.
 */
static thread_id thread_in(uint64_t word, uint64_t skip, uint64_t count) {
  for (uint64_t i = 0; i + 1 < count; i++) word &= word - (i < skip);
  return (thread_id)__builtin_ctzll(word);
}

static __attribute__((noinline)) thread_id random_of_many(const struct thread_set *set) {
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
    return (thread_id)(w * 64 + thread_in(word, skip, here));
  }
}

static inline uint64_t count_in(uint64_t word) {
  if (UNLIKELY(!rt->has_popcnt)) return (uint64_t)__builtin_popcountll(word);
  __asm__("popcnt %0, %0" : "+r"(word) : : "cc");
  return word;
}

static inline thread_id random_of_few(uint64_t word) {
  const uint64_t without_first = word & (word - 1);
  if (!without_first) return (thread_id)__builtin_ctzll(word);
  if (!(without_first & (without_first - 1))) return (thread_id)__builtin_ctzll(draw(2) ? without_first : word);
  const uint64_t few = count_in(word);
  return thread_in(word, draw(few), few);
}

static thread_id random_of(const struct thread_set *set) {
  return rt->n_words > 1 ? random_of_many(set) : random_of_few(set->words[0]);
}

static inline thread_id last_or_lowest_of_few(uint64_t word) {
  const thread_id last = rt->last_thread;
  return last < 64 && word >> last & 1 ? last : (thread_id)__builtin_ctzll(word);
}

static thread_id highest_priority(const struct thread_set *set) {
  thread_id best = NO_THREAD;
  for (uint32_t i = 0; i <= rt->highest_thread; i++)
    if (set_has(set, (thread_id)i) && (best == NO_THREAD || rt->threads[i].priority > rt->threads[best].priority))
      best = (thread_id)i;
  return best;
}

/* PCT: priorities above all change points' at first; at the i-th change point the running thread gets priority i. */
void choose_priorities(void) {
  rt->n_priority_changes = rt->plan->priority_changes < 64 ? rt->plan->priority_changes : 64;
  for (uint32_t i = 0; i < rt->n_priority_changes; i++)
    rt->priority_steps[i] = (uint32_t)draw(rt->plan->expected_steps ? rt->plan->expected_steps : 1);
}

static thread_id prioritised(const struct thread_set *set) {
  for (uint32_t i = 0; i < rt->n_priority_changes; i++)
    if (rt->priority_steps[i] == rt->n_steps) rt->threads[highest_priority(set)].priority = i;
  return highest_priority(set);
}

/* PLAN_SOLO, after the steps of the plan. */
static thread_id solo(void) {
  const thread_id thread = (thread_id)rt->plan->solo;
  if (thread > rt->highest_thread || !set_has(&rt->enabled, thread)) finish_run(OUTCOME_STOPPED, 0, 0);
  return thread;
}

/* PLAN_TAKERS_LAST: those of the set that do not wait for a semaphore; all of it if all do. */
static const struct thread_set *those_that_take_nothing(const struct thread_set *set) {
  static struct thread_set others;
  uint64_t any = 0;
  for (uint32_t w = 0; w < rt->n_words; w++) {
    others.words[w] = set->words[w];
    for (uint64_t rest = set->words[w]; rest; rest &= rest - 1) {
      const unsigned bit = (unsigned)__builtin_ctzll(rest);
      if (rt->threads[w * 64 + bit].operation.kind == EVENT_SEMAPHORE_WAIT) others.words[w] &= ~(1ull << bit);
    }
    any |= others.words[w];
  }
  return any ? &others : set;
}

static thread_id by_policy(void) {
  if (rt->plan->flags & PLAN_SOLO) return solo();
  const struct thread_set *set = rt->n_asleep ? sleep_awake() : &rt->enabled;
  if (rt->plan->flags & PLAN_TAKERS_LAST) set = those_that_take_nothing(set);
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
  const thread_id thread = plan_steps(rt->plan)[rt->plan_position].thread;
  return thread <= rt->highest_thread && set_has(&rt->enabled, thread);
}

/* It rests, here, and perhaps did not where the plan was made: whether a thread rests may depend on the order of steps
 * that commute. */
static bool plan_names_one_that_rests(void) {
  const thread_id id = plan_steps(rt->plan)[rt->plan_position].thread;
  const struct thread *thread = &rt->threads[id];
  return rt->n_attentive && id <= rt->highest_thread && thread->state == AT_OPERATION && rounds_hold_back(thread) &&
         schedule_can_move(thread);
}

static bool plan_has_step(void) {
  if (rt->trial) return false;
  if (rt->plan->flags & PLAN_TRY_LAST && rt->plan_position + 1 == rt->plan->n_steps && !plan_names_one_that_can_move())
    rt->plan_position++;
  if (rt->plan->flags & PLAN_LENIENT)
    while (rt->plan_position < rt->plan->n_steps && !plan_names_one_that_can_move() && !plan_names_one_that_rests())
      rt->plan_position++;
  return rt->plan_position < rt->plan->n_steps;
}

static void wake_planned(void) {
  const thread_id id = plan_steps(rt->plan)[rt->plan_position].thread;
  rounds_wake(&rt->threads[id]);
  set_add(&rt->enabled, id);
}

static thread_id by_plan(void) {
  if (!plan_names_one_that_can_move() && plan_names_one_that_rests()) wake_planned();
  if (rt->plan->flags & PLAN_MAY_STOP && !plan_names_one_that_can_move()) finish_run(OUTCOME_SLEEP_BLOCKED, 0, 0);
  if (!plan_names_one_that_can_move()) diverge("the thread the plan names next cannot move");
  rt->planned = &plan_steps(rt->plan)[rt->plan_position++];
  return rt->planned->thread;
}

static bool is_carried(const struct thread *thread) {
  const struct operation *operation = &thread->operation;
  return kind_class(operation->kind) == CLASS_MEMORY && sharing_makes_visible(operation->address, operation->size);
}

/* One that stands before an access which is part of the step before, as that was when the plan was made. */
static thread_id find_carried(void) {
  for (uint32_t i = 0; i <= rt->highest_thread; i++)
    if (set_has(&rt->enabled, (thread_id)i) && is_carried(&rt->threads[i])) return (thread_id)i;
  return NO_THREAD;
}

static bool take_carried(thread_id *thread) {
  if (!rt->is_carrying || rt->trial || rt->plan_position >= rt->plan->n_steps) return false;
  *thread = find_carried();
  rt->is_carried = *thread != NO_THREAD;
  rt->n_carried += rt->is_carried;
  return rt->is_carried;
}

static __attribute__((noinline)) thread_id decide(void) {
  thread_id carried;
  rt->is_carried = false;
  if (rt->n_asleep) sleep_look_at_events();
  if (take_carried(&carried)) return carried;
  return rt->trial ? random_of(&rt->enabled) : plan_has_step() ? by_plan() : by_policy();
}

static inline struct thread *count_step(thread_id id) {
  struct thread *thread = &rt->threads[id];
  if (UNLIKELY(rt->n_steps >= rt->plan->max_events)) finish_run(OUTCOME_TOO_MANY_EVENTS, self()->operation.site, 0);
  thread->moved_at = ++rt->n_steps;
  rt->switches += rt->last_thread != NO_THREAD && rt->last_thread != id;
  rt->last_thread = id;
  atomic_store_explicit(&rt->channel->heartbeat, ++rt->total_steps, memory_order_relaxed);
  return thread;
}

struct thread *choose_thread(void) {
  rt->planned = NULL;
  checkpoint_before_choice();
  return count_step(decide());
}

/* Nothing but the plan's next step decides, or its policy. */
static inline thread_id decide_usually(uint64_t enabled) {
  const struct plan *plan = rt->plan;
  const uint32_t position = rt->plan_position;
  if (position < plan->n_steps) {
    const struct step *step = &plan_steps(plan)[position];
    if (UNLIKELY(step->thread >= 64 || !(enabled >> step->thread & 1))) return decide();
    rt->planned = step;
    rt->plan_position = position + 1;
    return step->thread;
  }
  if (plan->policy == POLICY_RANDOM) return random_of_few(enabled);
  return plan->policy == POLICY_CONTINUE ? last_or_lowest_of_few(enabled) : decide();
}

INLINED struct thread *choose_usually(uint64_t enabled) {
  rt->planned = NULL;
  return count_step(decide_usually(enabled));
}

uint16_t choose_alternative(uint16_t count) {
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

bool choose_rarely(uint16_t ways) {
  trace_complete_value(self());
  memset(rt->enabled.words, 0, rt->n_words * sizeof rt->enabled.words[0]);
  set_add(&rt->enabled, self()->id);
  rt->planned = NULL;
  self()->step_flags = 0;
  if (UNLIKELY(rt->looks_for_twins)) twins_step(self());
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
