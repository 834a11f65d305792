/* SPDX-License-Identifier: MIT
 *
 * Virtual time: every thread has a clock of its own that moves when it sleeps and a little whenever it is asked for, so
 * that nothing ever waits and what a thread sees does not depend on the others. Joining a thread brings the joiner's
 * clock at least to the joined one's.
 */
#include "models.h"
#include "sharing.h"

#include <errno.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define SECOND 1000000000ull
#define START_SECONDS 1700000000ull
#define STEP_NANOSECONDS 100000ull /* for each look at the clock */

static void advance(uint64_t nanoseconds) {
  self()->clock_nanoseconds += nanoseconds;
}

static void sleep_through(uint64_t nanoseconds) {
  rt->slept = true;
  advance(nanoseconds);
}

/* A thread that looks at the clock is not spinning: the clock moves. */
static uint64_t now(void) {
  advance(STEP_NANOSECONDS);
  spin_end(self());
  sharing_saw_joined(); /* joining sets the clock forward */
  return self()->clock_nanoseconds;
}

/* What a sleeping thread does besides sleeping: it may be cancelled. */
#define SLEEPS() cancel_point(take_site(), SPIN_FRAME())

WRAPPED(unsigned, sleep, (unsigned seconds), (seconds)) {
  SLEEPS();
  sleep_through(seconds * SECOND);
  return 0;
}

WRAPPED(int, usleep, (useconds_t microseconds), (microseconds)) {
  SLEEPS();
  sleep_through(microseconds * 1000ull);
  return 0;
}

static bool is_duration(const struct timespec *time) {
  return time->tv_sec >= 0 && time->tv_nsec >= 0 && time->tv_nsec < (long)SECOND;
}

static uint64_t nanoseconds_of(const struct timespec *time) {
  return (uint64_t)time->tv_sec * SECOND + (uint64_t)time->tv_nsec;
}

WRAPPED(int, nanosleep, (const struct timespec *duration, struct timespec *rest), (duration, rest)) {
  model_reads(duration, sizeof *duration, call_site());
  const struct timespec wanted = *duration;
  const site_id site = call_site();
  if (!is_duration(&wanted)) {
    errno = EINVAL;
    return -1;
  }
  SLEEPS();
  sleep_through(nanoseconds_of(&wanted));
  model_store(rest, &(struct timespec){0}, sizeof *rest, site);
  return 0;
}

/* Negative ones are CPU clocks of threads and processes. */
static bool is_clock(clockid_t clock) {
  return clock <= CLOCK_TAI;
}

static uint64_t clock_offset(clockid_t clock) {
  return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE ? START_SECONDS * SECOND : SECOND;
}

/* ---- deadlines ---- */

struct deadline deadline_after(uint64_t nanoseconds) {
  const uint64_t time = self()->clock_nanoseconds + clock_offset(CLOCK_MONOTONIC) + nanoseconds;
  return (struct deadline){CLOCK_MONOTONIC, {(time_t)(time / SECOND), (long)(time % SECOND)}};
}

bool deadline_has_clock(clockid_t clock) {
  return clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC;
}

bool deadline_is_valid(const struct deadline *deadline) {
  return deadline->time.tv_nsec >= 0 && deadline->time.tv_nsec < (long)SECOND;
}

int deadline_passed(const struct deadline *deadline) {
  struct thread *thread = self();
  thread->time_outs++;
  thread->timed_out_at = rt->n_steps;
  if (!deadline_is_valid(deadline)) return EINVAL;
  const uint64_t current = thread->clock_nanoseconds + clock_offset(deadline->clock);
  if (deadline->time.tv_sec >= 0 && nanoseconds_of(&deadline->time) > current)
    sleep_through(nanoseconds_of(&deadline->time) - current);
  return ETIMEDOUT;
}

int deadline_kept(const struct deadline *deadline, int result) {
  if (deadline) self()->time_outs = 0;
  return result;
}

/* ---- sleeping until, and looking at the clock ---- */

WRAPPED(int, clock_nanosleep, (clockid_t clock, int flags, const struct timespec *time, struct timespec *rest),
        (clock, flags, time, rest)) {
  model_reads(time, sizeof *time, call_site());
  if (!is_duration(time) || !is_clock(clock)) return EINVAL;
  const uint64_t wanted = nanoseconds_of(time);
  const site_id site = call_site();
  SLEEPS();
  const uint64_t current = self()->clock_nanoseconds + clock_offset(clock);
  if (!(flags & TIMER_ABSTIME))
    sleep_through(wanted);
  else if (wanted > current)
    sleep_through(wanted - current);
  if (!(flags & TIMER_ABSTIME)) model_store(rest, &(struct timespec){0}, sizeof *rest, site);
  return 0;
}

WRAPPED(int, clock_gettime, (clockid_t clock, struct timespec *time), (clock, time)) {
  if (!is_clock(clock)) {
    errno = EINVAL;
    return -1;
  }
  const uint64_t value = now() + clock_offset(clock);
  const struct timespec moment = {(time_t)(value / SECOND), (long)(value % SECOND)};
  model_store(time, &moment, sizeof moment, call_site());
  return 0;
}

WRAPPED(int, gettimeofday, (struct timeval * time, void *zone), (time, zone)) {
  const uint64_t value = now() + START_SECONDS * SECOND;
  const struct timeval moment = {(time_t)(value / SECOND), (long)(value % SECOND / 1000)};
  model_store(time, &moment, sizeof moment, call_site());
  return 0;
}

WRAPPED(time_t, time, (time_t * time), (time)) {
  const time_t value = (time_t)(now() / SECOND + START_SECONDS);
  model_store(time, &value, sizeof value, call_site());
  return value;
}

WRAPPED(clock_t, clock, (void), ()) {
  return (clock_t)(now() / 1000);
}

WRAPPED(int, sched_yield, (void), ()) {
  return 0;
}
