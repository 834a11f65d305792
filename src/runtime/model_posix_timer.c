/* SPDX-License-Identifier: MIT
 *
 * Timers of timer_create (timers.h): they send a signal, or start a thread, or only pass. Their numbers are those of
 * their places, so that making and deleting one are steps.
 */
#include "ends.h"
#include "models.h"
#include "signalling.h"
#include "timers.h"

#include <signal.h>
#include <unistd.h>

static void take_turn(site_id site) {
  spin_end(self());
  schedule_operation((struct operation){.kind = EVENT_TIMER_SET, .site = site});
  trace_record(EVENT_TIMER_SET, 0, 0, site);
}

/* NULL: there is none, and errno says so. */
static struct timer *timer_of(timer_t number) {
  const uint64_t place = (uint64_t)number;
  const bool exists = place > ALARM_TIMER && place < rt->timers.n_used && rt->timers.timers[place].is_used &&
                      rt->timers.timers[place].action != TIMER_COUNTS;
  if (!exists) model_fail(EINVAL);
  return exists ? &rt->timers.timers[place] : NULL;
}

/* The thread with the number that gettid gives it; NO_THREAD: there is none. */
static thread_id thread_with_number(int number) {
  const long index = number - system_call(SYS_getpid, 0);
  const bool exists = index >= 0 && index <= (long)rt->highest_thread && rt->threads[index].state != ABSENT;
  return exists ? (thread_id)index : NO_THREAD;
}

/* 0, or the errno. */
static int read_event(const struct sigevent *event, struct timer *timer) {
  timer->value = (uint64_t)event->sigev_value.sival_ptr;
  timer->signal = event->sigev_signo;
  switch (event->sigev_notify) {
  case SIGEV_NONE: timer->action = TIMER_DOES_NOTHING; return 0;
  case SIGEV_THREAD:
    timer->action = TIMER_STARTS_THREAD;
    timer->start = (void *(*)(void *))(void *)event->sigev_notify_function;
    return 0;
  case SIGEV_THREAD_ID:
    timer->target = thread_with_number(event->_sigev_un._tid);
    if (timer->target == NO_THREAD) return EINVAL;
    break;
  case SIGEV_SIGNAL: break;
  default: return EINVAL;
  }
  timer->action = TIMER_SIGNALS;
  return signal_exists(event->sigev_signo) ? 0 : EINVAL;
}

WRAPPED(int, timer_create, (clockid_t clock, struct sigevent *restrict event, timer_t *restrict told),
        (clock, event, told)) {
  const site_id site = take_site();
  struct sigevent wanted = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM};
  struct timer read = {.target = NO_THREAD};
  if (event) model_reads(event, sizeof *event, site);
  if (event) wanted = *event;
  if (clock > CLOCK_TAI) return model_fail(EINVAL);
  if (!timer_has_clock(clock)) finish_at_limit("a timer of processor time");
  const int problem = read_event(&wanted, &read);
  if (problem) return model_fail(problem);
  take_turn(site);
  struct timer *timer = timer_new(read.action);
  const uint64_t place = (uint64_t)(timer - rt->timers.timers);
  timer->target = read.target;
  timer->signal = read.signal;
  timer->value = event ? read.value : place;
  timer->start = read.start;
  timer->offset = timer_clock_offset(clock);
  model_store(told, &place, sizeof place, site);
  return 0;
}

WRAPPED(int, timer_settime,
        (timer_t number, int flags, const struct itimerspec *restrict value, struct itimerspec *restrict old),
        (number, flags, value, old)) {
  const site_id site = take_site();
  struct timer *timer = timer_of(number);
  return timer ? timer_change(timer, flags & TIMER_ABSTIME, value, old, site) : -1;
}

WRAPPED(int, timer_gettime, (timer_t number, struct itimerspec *value), (number, value)) {
  const site_id site = take_site();
  const struct timer *timer = timer_of(number);
  return timer ? timer_tell(timer, value, site) : -1;
}

WRAPPED(int, timer_getoverrun, (timer_t number), (number)) {
  const site_id site = take_site();
  const struct timer *timer = timer_of(number);
  if (!timer) return -1;
  timer_left(timer, site);
  return (int)timer->told_overruns;
}

WRAPPED(int, timer_delete, (timer_t number), (number)) {
  const site_id site = take_site();
  struct timer *timer = timer_of(number);
  if (!timer) return -1;
  take_turn(site);
  timer_remove(timer);
  return 0;
}
