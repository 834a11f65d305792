/* SPDX-License-Identifier: MIT
 *
 * The timer of alarm and setitimer (timers.h).
 */
#include "ends.h"
#include "models.h"
#include "timers.h"

#include <errno.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#define SECOND 1000000000ull

static struct timer *the_alarm(void) {
  struct timer *timer = &rt->timers.timers[ALARM_TIMER];
  if (timer->is_used) return timer;
  *timer = (struct timer){.is_used = true, .target = NO_THREAD, .signal = SIGALRM};
  if (rt->timers.n_used == 0) rt->timers.n_used = ALARM_TIMER + 1;
  return timer;
}

WRAPPED(unsigned, alarm, (unsigned seconds), (seconds)) {
  const uint64_t left = timer_set(the_alarm(), seconds * SECOND, 0, take_site());
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
  const uint64_t interval = the_alarm()->interval;
  if (which == ITIMER_VIRTUAL || which == ITIMER_PROF) finish_at_limit("a timer of processor time");
  if (which != ITIMER_REAL) return model_fail(EINVAL);
  model_reads(value, sizeof *value, site);
  if (!is_time(&value->it_value) || !is_time(&value->it_interval)) return model_fail(EINVAL);
  const uint64_t left =
      timer_set(the_alarm(), nanoseconds_of(&value->it_value), nanoseconds_of(&value->it_interval), site);
  const struct itimerval before = {time_of(interval), time_of(left)};
  model_store(old, &before, sizeof before, site);
  return 0;
}

WRAPPED(int, getitimer, (__itimer_which_t which, struct itimerval *value), (which, value)) {
  const site_id site = call_site();
  if (which != ITIMER_REAL) return (int)FOLLOWED_REAL(getitimer, which, value);
  const uint64_t left = !the_alarm()->has_thread ? 0 : timer_left(the_alarm(), take_site());
  const struct itimerval told = {time_of(the_alarm()->interval), time_of(left)};
  model_store(value, &told, sizeof told, site);
  return 0;
}
