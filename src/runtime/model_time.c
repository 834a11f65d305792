/* SPDX-License-Identifier: MIT
 *
 * Virtual time: every thread has a clock of its own that moves when it sleeps and a little whenever it is asked for, so
 * that nothing ever waits and what a thread sees does not depend on the others. It runs ahead when a thread looks at it
 * again and again. Joining a thread brings the joiner's clock at least to the joined one's.
 */
#include "models.h"
#include "sharing.h"
#include "timers.h"

#include <errno.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define SECOND 1000000000ull
#define START_SECONDS 1700000000ull
#define STEP_NANOSECONDS 100000ull /* for each look at the clock */
#define PATIENT_LOOKS 8u           /* from one place, before the clock runs ahead, by this factor each time */
#define AHEAD_FACTOR 8u
#define END_OF_TIME (10ull * 365 * 24 * 3600 * SECOND) /* it stands still there: 32 bits still hold the date */

static void advance(uint64_t nanoseconds) {
  self()->clock_nanoseconds += nanoseconds;
}

/* ---- looking at the clock ---- */

static struct clock_look *find_look(struct thread *thread, site_id site) {
  for (uint32_t i = 0; i < MAX_CLOCK_PLACES; i++)
    if (thread->looks[i].site == site || !thread->looks[i].site) return &thread->looks[i];
  return &thread->looks[site % MAX_CLOCK_PLACES];
}

/* How often the thread has looked from this place since it last changed something. */
static uint32_t count_looks(struct thread *thread, site_id site) {
  struct clock_look *look = find_look(thread, site);
  if (look->site != site || look->n_changes != thread->n_changes)
    *look = (struct clock_look){.site = site, .n_changes = thread->n_changes};
  return ++look->count;
}

/* A loop that looks at the clock in each round waits until others have done something, or until it is late. So that it
 * need not go round ten thousand times, the clock runs ahead when it is looked at again and again, and stands still at
 * the end of time: from then on the loop can be seen to repeat itself. */
static uint64_t time_that_passes(struct thread *thread) {
  const uint32_t looks = count_looks(thread, call_site());
  uint64_t step = STEP_NANOSECONDS;
  for (uint32_t i = PATIENT_LOOKS; i < looks && step < END_OF_TIME; i++) step *= AHEAD_FACTOR;
  const uint64_t left = END_OF_TIME > thread->clock_nanoseconds ? END_OF_TIME - thread->clock_nanoseconds : 0;
  return step < left ? step : left;
}

/* While the clock moves a thread that looks at it is not spinning. */
static uint64_t now(void) {
  const uint64_t passes = time_that_passes(self());
  advance(passes);
  if (passes) spin_end(self());
  awaits_see_clock();
  sharing_saw_joined(); /* joining sets the clock forward */
  return self()->clock_nanoseconds;
}

/* ---- sleeping ---- */

/* What a sleeping thread does besides sleeping: it may be cancelled. */
#define SLEEPS() cancel_point(rehearsal_is_on() ? call_site() : take_site(), SPIN_FRAME())

/* Reports say that it was virtual. */
static void pass_time(uint64_t nanoseconds) {
  advance(nanoseconds);
  if (!rehearsal_is_on()) rt->slept = true;
}

/* Its timers may have expired meanwhile. */
static void sleep_for(uint64_t nanoseconds) {
  pass_time(nanoseconds);
  if (!rt->timers.n_used) return;
  rehearsal_check();
  timers_elapse(self()->at_site);
}

WRAPPED_QUIETLY(unsigned, sleep, (unsigned seconds), (seconds)) {
  SLEEPS();
  sleep_for(seconds * SECOND);
  return 0;
}

WRAPPED_QUIETLY(int, usleep, (useconds_t microseconds), (microseconds)) {
  SLEEPS();
  sleep_for(microseconds * 1000ull);
  return 0;
}

static bool is_duration(const struct timespec *time) {
  return time->tv_sec >= 0 && time->tv_nsec >= 0 && time->tv_nsec < (long)SECOND;
}

static uint64_t nanoseconds_of(const struct timespec *time) {
  return (uint64_t)time->tv_sec * SECOND + (uint64_t)time->tv_nsec;
}

WRAPPED_QUIETLY(int, nanosleep, (const struct timespec *duration, struct timespec *rest), (duration, rest)) {
  model_reads(duration, sizeof *duration, call_site());
  const struct timespec wanted = *duration;
  const site_id site = call_site();
  if (!is_duration(&wanted)) {
    errno = EINVAL;
    return -1;
  }
  SLEEPS();
  sleep_for(nanoseconds_of(&wanted));
  model_store(rest, &(struct timespec){0}, sizeof *rest, site);
  return 0;
}

/* Negative ones are CPU clocks of threads and processes. */
static bool is_clock(clockid_t clock) {
  return clock <= CLOCK_TAI;
}

static uint64_t clock_offset(clockid_t clock) {
  const bool is_real = clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_REALTIME_ALARM;
  return is_real ? START_SECONDS * SECOND : SECOND;
}

uint64_t timer_clock_offset(int clock) {
  return clock_offset(clock);
}

bool timer_has_clock(int clock) {
  return clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC || clock == CLOCK_BOOTTIME ||
         clock == CLOCK_REALTIME_ALARM || clock == CLOCK_BOOTTIME_ALARM;
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
    pass_time(nanoseconds_of(&deadline->time) - current);
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
    sleep_for(wanted);
  else if (wanted > current)
    sleep_for(wanted - current);
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

WRAPPED_QUIETLY(int, sched_yield, (void), ()) {
  return 0;
}
