/* SPDX-License-Identifier: MIT
 *
 * Timers. A thread that heddle makes stands for each: when it takes a step, the timer expires. That is a choice, as a
 * time-out is. But
 *   - where a signal would end the process (a watchdog), time passes only when nobody can move: that a program could be
 *     slow is no finding, and who sleeps in a loop may do so for a long time before others come to move;
 *   - a timer that comes again does so freely once, and from then on only when nobody can move, which leaves something
 *     out;
 *   - of the timers that one thread has set, those that are due first expire first;
 *   - a timer has expired when the thread that set it has slept for longer: that is a step of this thread, before it
 *     looks.
 */
#include "timers.h"
#include "ends.h"
#include "models.h"
#include "pipes.h"
#include "signalling.h"

#include <signal.h>

#define TIMER_STACK_BYTES (256u << 10)

void timers_begin_run(void) {
  if (rt->timers.n_used) memset(&rt->timers, 0, sizeof rt->timers);
}

/* A place that is used again keeps its thread. */
static struct timer *find_place(void) {
  for (uint32_t i = ALARM_TIMER + 1; i < MAX_TIMERS; i++)
    if (!rt->timers.timers[i].is_used) return &rt->timers.timers[i];
  finish_at_limit("more than 31 timers");
}

struct timer *timer_new(enum timer_action action) {
  struct timer *timer = find_place();
  const uint32_t place = (uint32_t)(timer - rt->timers.timers);
  *timer = (struct timer){.is_used = true,
                          .has_thread = timer->has_thread,
                          .thread = timer->thread,
                          .action = (uint8_t)action,
                          .owner = NO_THREAD,
                          .target = NO_THREAD};
  if (place >= rt->timers.n_used) rt->timers.n_used = place + 1;
  return timer;
}

/* ---- expiring ---- */

static bool is_fatal(const struct timer *timer) {
  return timer->action == TIMER_SIGNALS && signal_is_fatal(timer->signal);
}

static bool is_first(const struct timer *timer) {
  for (uint32_t i = 0; i < rt->timers.n_used; i++) {
    const struct timer *other = &rt->timers.timers[i];
    if (other->is_set && other->owner == timer->owner && other->nanoseconds < timer->nanoseconds) return false;
  }
  return true;
}

static const struct timer *timer_of(const struct thread *thread) {
  for (uint32_t i = 0; i < rt->timers.n_used; i++)
    if (rt->timers.timers[i].has_thread && rt->timers.timers[i].thread == thread->id) return &rt->timers.timers[i];
  return NULL;
}

bool timer_can_expire(const struct thread *thread) {
  const struct timer *timer = timer_of(thread);
  return timer && timer->is_set && timer->may_expire_early && !is_fatal(timer) && is_first(timer) &&
         rt->exiting == NO_THREAD;
}

bool timer_let_time_pass(void) {
  uint64_t earliest = UINT64_MAX;
  if (rt->exiting != NO_THREAD) return false;
  for (uint32_t i = 0; i < rt->timers.n_used; i++)
    if (rt->timers.timers[i].is_set && rt->timers.timers[i].nanoseconds < earliest)
      earliest = rt->timers.timers[i].nanoseconds;
  for (uint32_t i = 0; i < rt->timers.n_used; i++)
    if (rt->timers.timers[i].is_set && rt->timers.timers[i].nanoseconds == earliest)
      set_add(&rt->enabled, rt->timers.timers[i].thread);
  return earliest != UINT64_MAX;
}

static void count(struct timer *timer, uint64_t times) {
  struct pipe_state *counter = timer->counter;
  counter->counter += times;
  counter->object.version++;
  races_release(&counter->object);
  epoll_note_news(counter, true);
}

static void start_thread(const struct timer *timer) {
  struct thread *thread = thread_create(timer->start, (void *)timer->value, TIMER_STACK_BYTES * 4);
  thread->signals_blocked = 0;
  thread->detached = true;
  struct event *event = trace_record(EVENT_THREAD_CREATE, thread->id, 0, 0);
  event->value = (uint64_t)timer->start;
  schedule_local(thread);
}

static void send_signal(uint8_t kind, struct timer *timer, uint64_t times) {
  rt->signals_sent = true;
  timer->told_overruns = times - 1;
  signal_set_origin(SI_TIMER, timer->value);
  if (timer->target == NO_THREAD)
    signal_send_now(kind, timer->signal, 0);
  else
    signal_send_to_thread_now(kind, &rt->threads[timer->target], timer->signal, 0);
}

/* As part of the step that the running thread takes, of this kind. */
static void expire(uint8_t kind, struct timer *timer, uint64_t times) {
  timer->is_set = timer->interval != 0;
  timer->nanoseconds += timer->interval * times;
  timer->may_expire_early = false;
  rt->left_out |= timer->is_set;
  if (timer->action == TIMER_SIGNALS) {
    send_signal(kind, timer, times);
    return;
  }
  trace_record(kind, 0, 0, 0);
  if (timer->action == TIMER_COUNTS) count(timer, times);
  if (timer->action == TIMER_STARTS_THREAD) start_thread(timer);
}

static void *live(void *argument) {
  struct timer *timer = argument;
  struct thread *thread = self();
  for (;;) {
    schedule_operation(
        (struct operation){.kind = EVENT_TIMER_EXPIRE, .object = &thread->cancellation, .can_block = true});
    thread->clock_nanoseconds = timer->nanoseconds;
    expire(EVENT_TIMER_EXPIRE, timer, 1);
  }
  return NULL;
}

static struct timer *find_elapsed(void) {
  for (uint32_t i = 0; i < rt->timers.n_used; i++) {
    struct timer *timer = &rt->timers.timers[i];
    if (timer->is_set && timer->owner == self()->id && timer->nanoseconds <= self()->clock_nanoseconds &&
        is_first(timer) && !is_fatal(timer))
      return timer;
  }
  return NULL;
}

void timers_elapse(site_id site) {
  if (!rt->timers.n_used || rt->exiting != NO_THREAD) return;
  while (find_elapsed()) {
    spin_end(self());
    schedule_operation((struct operation){.kind = EVENT_TIMER_ELAPSE, .site = site});
    struct timer *timer = find_elapsed(); /* it may have expired by itself meanwhile */
    if (!timer) {
      trace_record(EVENT_TIMER_ELAPSE, 0, 0, site);
      return;
    }
    const uint64_t late = self()->clock_nanoseconds - timer->nanoseconds;
    expire(EVENT_TIMER_ELAPSE, timer, timer->interval ? 1 + late / timer->interval : 1);
  }
}

/* ---- setting ---- */

/* It is none of the program's threads, which may all end without it. */
static void make_thread(struct timer *timer, site_id site) {
  struct thread *thread = thread_create(live, timer, TIMER_STACK_BYTES);
  thread->signals_blocked = UINT64_MAX;
  thread->detached = thread->is_made = true;
  timer->thread = thread->id;
  timer->has_thread = true;
  rt->n_live--;
  struct event *event = trace_record(EVENT_THREAD_CREATE, thread->id, 0, site);
  event->value = (uint64_t)live;
  schedule_local(thread);
}

static uint64_t left_of(const struct timer *timer) {
  const uint64_t now = self()->clock_nanoseconds;
  return !timer->is_set ? 0 : timer->nanoseconds > now ? timer->nanoseconds - now : 1;
}

uint64_t timer_set(struct timer *timer, uint64_t in, uint64_t interval, site_id site) {
  if (in && !timer->has_thread) make_thread(timer, site);
  if (!timer->has_thread) return 0;
  spin_end(self());
  schedule_operation((struct operation){.kind = EVENT_TIMER_SET, .site = site});
  trace_record(EVENT_TIMER_SET, 0, 0, site);
  const uint64_t left = left_of(timer);
  timer->is_set = in != 0;
  timer->may_expire_early = true;
  timer->owner = self()->id;
  timer->nanoseconds = self()->clock_nanoseconds + in;
  timer->interval = interval;
  if (timer->counter) timer->counter->counter = 0;
  return left;
}

uint64_t timer_left(const struct timer *timer, site_id site) {
  timers_elapse(site);
  spin_end(self());
  schedule_operation((struct operation){.kind = EVENT_TIMER_LOOK, .site = site});
  trace_record(EVENT_TIMER_LOOK, 0, 0, site);
  return left_of(timer);
}

void timer_remove(struct timer *timer) {
  timer->is_set = timer->is_used = false;
}
