/* SPDX-License-Identifier: MIT
 *
 * The timer of alarm and setitimer. A thread that heddle makes stands for it: when it takes a step, the timer expires
 * and its signal is sent. That is a choice, as a time-out is. But where the signal would end the process (a watchdog),
 * time passes only when nobody can move: that a program could be slow is no finding. A timer that comes again does so
 * freely once, and from then on only when nobody can move, which leaves something out.
 */
#include "ends.h"
#include "models.h"
#include "sharing.h"
#include "signalling.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define SECOND 1000000000ull
#define TIMER_STACK_BYTES (256u << 10)

/* ---- expiring ---- */

bool timer_can_expire(const struct thread *thread) {
  const struct timer *timer = &rt->alarm;
  return thread->id == timer->thread && timer->is_set && timer->may_expire_early && !signal_is_fatal(SIGALRM) &&
         rt->exiting == NO_THREAD;
}

bool timer_let_time_pass(void) {
  if (!rt->alarm.is_set || rt->exiting != NO_THREAD) return false;
  set_add(&rt->enabled, rt->alarm.thread);
  return true;
}

static void expire(struct timer *timer) {
  timer->is_set = timer->interval != 0;
  timer->nanoseconds += timer->interval;
  timer->may_expire_early = false;
  rt->left_out |= timer->is_set;
  rt->signals_sent = true;
  signal_send_now(EVENT_TIMER_EXPIRE, SIGALRM, 0);
}

static void *live(void *unused) {
  struct thread *thread = self();
  for (;;) {
    schedule_operation(
        (struct operation){.kind = EVENT_TIMER_EXPIRE, .object = &thread->cancellation, .can_block = true});
    thread->clock_nanoseconds = rt->alarm.nanoseconds;
    expire(&rt->alarm);
  }
  return unused;
}

/* ---- setting ---- */

/* It is none of the program's threads, which may all end without it. */
static void make_thread(struct timer *timer, site_id site) {
  struct thread *thread = thread_create(live, NULL, TIMER_STACK_BYTES);
  thread->signals_blocked = UINT64_MAX;
  thread->detached = thread->is_made = true;
  timer->thread = thread->id;
  rt->n_live--;
  struct event *event = trace_record(EVENT_THREAD_CREATE, thread->id, 0, site);
  event->value = (uint64_t)live;
  schedule_local(thread);
}

/* Returns the nanoseconds that were left. */
static uint64_t set_timer(uint64_t nanoseconds, uint64_t interval, site_id site) {
  struct timer *timer = &rt->alarm;
  if (nanoseconds && timer->thread == NO_THREAD) make_thread(timer, site);
  if (timer->thread == NO_THREAD) return 0;
  spin_end(self());
  schedule_operation((struct operation){.kind = EVENT_TIMER_SET, .site = site});
  trace_record(EVENT_TIMER_SET, 0, 0, site);
  const uint64_t now = self()->clock_nanoseconds;
  const uint64_t left = !timer->is_set ? 0 : timer->nanoseconds > now ? timer->nanoseconds - now : 1;
  timer->is_set = nanoseconds != 0;
  timer->may_expire_early = true;
  timer->nanoseconds = now + nanoseconds;
  timer->interval = interval;
  return left;
}

WRAPPED(unsigned, alarm, (unsigned seconds), (seconds)) {
  const uint64_t left = set_timer(seconds * SECOND, 0, take_site());
  return (unsigned)((left + SECOND - 1) / SECOND);
}

static bool is_time(const struct timeval *time) {
  return time->tv_sec >= 0 && time->tv_usec >= 0 && time->tv_usec < 1000000;
}

static uint64_t nanoseconds_of(const struct timeval *time) {
  return (uint64_t)time->tv_sec * SECOND + (uint64_t)time->tv_usec * 1000;
}

static struct timeval time_of(uint64_t nanoseconds) {
  return (struct timeval){(time_t)(nanoseconds / SECOND), (suseconds_t)(nanoseconds % SECOND / 1000)};
}

WRAPPED(int, setitimer,
        (__itimer_which_t which, const struct itimerval *restrict value, struct itimerval *restrict old),
        (which, value, old)) {
  const site_id site = take_site();
  const uint64_t interval = rt->alarm.interval;
  if (which == ITIMER_VIRTUAL || which == ITIMER_PROF) finish_at_limit("a timer of processor time");
  if (which != ITIMER_REAL) return model_fail(EINVAL);
  model_reads(value, sizeof *value, site);
  if (!is_time(&value->it_value) || !is_time(&value->it_interval)) return model_fail(EINVAL);
  const uint64_t left = set_timer(nanoseconds_of(&value->it_value), nanoseconds_of(&value->it_interval), site);
  const struct itimerval before = {time_of(interval), time_of(left)};
  model_store(old, &before, sizeof before, site);
  return 0;
}

WRAPPED(int, timer_create, (clockid_t clock, struct sigevent *restrict event, timer_t *restrict timer),
        (clock, event, timer)) {
  finish_at_limit("timer_create");
}
