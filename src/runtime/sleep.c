/* SPDX-License-Identifier: MIT
 *
 * Threads that a plan sets to sleep: what they would do next has been explored from here, or from an earlier point, so
 * a run that let them do it would show nothing new. An event that depends on what a thread would do wakes it.
 *
 * The events are looked at before the next choice, when they are complete. Those before the plan's last step are left
 * alone: the plan says who sleeps where that step is taken.
 */
#include "abi/dependence.h"
#include "runtime.h"

void sleep_begin_run(void) {
  const struct plan *plan = rt->plan;
  rt->n_asleep = plan->n_sleepers;
  if (rt->n_asleep == 0) return;
  memcpy(rt->sleepers, plan_sleepers(plan), plan->n_sleepers * sizeof rt->sleepers[0]);
  memset(&rt->asleep, 0, sizeof rt->asleep);
  for (uint32_t i = 0; i < rt->n_asleep; i++) set_add(&rt->asleep, rt->sleepers[i].thread);
  rt->n_events_slept_through = 0;
}

static void wake_by(const struct event *event) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < rt->n_asleep; i++) {
    struct event *sleeper = &rt->sleepers[i];
    if (events_depend(sleeper, event)) {
      set_remove(&rt->asleep, sleeper->thread);
      continue;
    }
    event_pass(sleeper, event);
    rt->sleepers[kept++] = *sleeper;
  }
  rt->n_asleep = kept;
}

void sleep_look_at_events(void) {
  const bool counts = rt->n_steps >= rt->plan->n_steps;
  for (; rt->n_events_slept_through < rt->n_events; rt->n_events_slept_through++)
    if (counts) wake_by(&rt->events[rt->n_events_slept_through]);
}

const struct thread_set *sleep_awake(void) {
  uint64_t any = 0;
  for (uint32_t w = 0; w < rt->n_words; w++) {
    rt->awake.words[w] = rt->enabled.words[w] & ~rt->asleep.words[w];
    any |= rt->awake.words[w];
  }
  if (!any) finish_run(OUTCOME_SLEEP_BLOCKED, 0, 0);
  return &rt->awake;
}
