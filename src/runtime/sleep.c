/* SPDX-License-Identifier: MIT
 *
 * Threads that a plan sets to sleep: what they would do next has been explored from here, or from an earlier point, so
 * a run that let them do it would show nothing new. An event that depends on what a thread would do wakes it.
 *
 * The events are looked at before the next choice, when they are complete. Those before the plan's last step are left
 * alone: the plan says who sleeps where that step is taken.
 */
#include "sleep.h"
#include "constructs.h"
#include "ends.h"
#include "model/dependence.h"

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

/* ---- PLAN_WAITS ---- */

static bool is_plain_read(const struct event *event) {
  return event->kind == EVENT_READ || event->kind == EVENT_ATOMIC_READ;
}

/* As src/explore/reachability/syn_objects.c has places. */
static bool is_at(const struct event *wait, const struct event *event) {
  const enum event_class class = event_class_of(event);
  uint64_t start = event->object, end = start + 1;
  if (wait->value == UINT64_MAX) return true;
  if (wait->flags & EVENT_IN_SECTION && is_plain_read(event)) return false;
  if (class == CLASS_MEMORY && event->size) end = start + event->size;
  if (class == CLASS_FUTEX) end = start + FUTEX_BYTES;
  if (class == CLASS_THREAD || class == CLASS_DESCRIPTOR || class == CLASS_NOTHING) {
    start = (uint64_t)(class + 1) << 56 | (class == CLASS_NOTHING ? 0 : event->object);
    end = start + 1;
  }
  return start < wait->value && wait->object < end;
}

static bool ends_wait(const struct event *wait, const struct event *event) {
  if (wait->kind == EVENT_PORT_RECEIVE) return event->thread == wait->thread && event->kind == EVENT_PORT_RECEIVE;
  const bool is_step = (event->flags & (EVENT_VISIBLE | EVENT_IN_SECTION)) == EVENT_VISIBLE;
  return is_step && event_dependence_of(event) != DEPENDENCE_INDEPENDENT && is_at(wait, event);
}

static void end_waits_of(thread_id thread) {
  uint32_t kept = 0;
  set_remove(&rt->asleep, thread);
  for (uint32_t i = 0; i < rt->n_asleep; i++)
    if (rt->sleepers[i].thread != thread) rt->sleepers[kept++] = rt->sleepers[i];
  rt->n_asleep = kept;
}

static void end_waits_by(const struct event *event) {
  for (uint32_t i = 0; i < rt->n_asleep;)
    if (ends_wait(&rt->sleepers[i], event)) {
      end_waits_of(rt->sleepers[i].thread);
      i = 0;
    } else {
      i++;
    }
}

static void look_at_waits(void) {
  const bool counts = rt->n_steps > rt->plan->n_steps;
  if (rt->n_steps == rt->plan->n_steps)
    for (uint32_t i = 0; i <= rt->highest_thread; i++) rt->threads[i].n_sent_before = rt->threads[i].n_sent;
  for (; rt->n_events_slept_through < rt->n_events; rt->n_events_slept_through++)
    if (counts) end_waits_by(&rt->events[rt->n_events_slept_through]);
}

static bool waits_for_message(const struct thread *thread) {
  for (uint32_t i = 0; i < rt->n_asleep; i++)
    if (rt->sleepers[i].thread == thread->id && rt->sleepers[i].kind == EVENT_PORT_RECEIVE) return true;
  return false;
}

bool sleep_may_take(const struct thread *thread, uint64_t message) {
  if (!rt->n_asleep || !(rt->plan->flags & PLAN_WAITS) || rt->planned) return true;
  return !waits_for_message(thread) || (uint32_t)message > rt->threads[message_sender(message)].n_sent_before;
}

static void add_receivers(void) {
  for (uint32_t i = 0; i < rt->n_asleep; i++) {
    const struct thread *thread = &rt->threads[rt->sleepers[i].thread];
    if (rt->sleepers[i].kind == EVENT_PORT_RECEIVE && set_has(&rt->enabled, thread->id) && port_has_new_message(thread))
      set_add(&rt->awake, thread->id);
  }
}

/* ---- before a choice ---- */

void sleep_look_at_events(void) {
  if (rt->plan->flags & PLAN_WAITS) {
    look_at_waits();
    return;
  }
  const bool counts = rt->n_steps - rt->n_carried >= rt->plan->n_steps;
  for (; rt->n_events_slept_through < rt->n_events; rt->n_events_slept_through++)
    if (counts) wake_by(&rt->events[rt->n_events_slept_through]);
}

const struct thread_set *sleep_awake(void) {
  uint64_t any = 0;
  for (uint32_t w = 0; w < rt->n_words; w++) {
    rt->awake.words[w] = rt->enabled.words[w] & ~rt->asleep.words[w];
  }
  if (rt->plan->flags & PLAN_WAITS) add_receivers();
  for (uint32_t w = 0; w < rt->n_words; w++) any |= rt->awake.words[w];
  if (!any) finish_late_run();
  if (!any) finish_run(OUTCOME_SLEEP_BLOCKED, 0, 0);
  return &rt->awake;
}
