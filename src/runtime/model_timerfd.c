/* SPDX-License-Identifier: MIT
 *
 * timerfd: a timer (timers.h) that is a descriptor. Reading it gives how often it has expired since it was read or set,
 * and waits until it has. It is a counter of pipes.h, so that closing, copying and polling it are those of others.
 */
#include "files.h"
#include "models.h"
#include "pipes.h"
#include "snapshot.h"
#include "timers.h"

#include <sys/timerfd.h>
#include <unistd.h>

#define SECOND 1000000000ull

WRAPPED(int, timerfd_create, (int clock, int flags), (clock, flags)) {
  const site_id site = take_site();
  files_touch();
  files_take_descriptors(site);
  const int number = files_open_number(system_call(SYS_timerfd_create, clock, flags), flags & TFD_CLOEXEC, site);
  struct pipe_state *counter = number < 0 ? NULL : pipe_new((uint64_t)number);
  if (!counter) return number;
  counter->is_counter = true;
  counter->timer = timer_new(TIMER_COUNTS);
  counter->timer->counter = counter;
  counter->timer->offset = timer_clock_offset(clock);
  pipe_open_end(number, counter, NULL, flags & TFD_NONBLOCK);
  return number;
}

long timerfd_take(struct pipe_state *counter, void *buffer, bool waits, site_id site, char *frame) {
  const struct turn turn = {.waits = waits, .site = site, .frame = frame};
  timers_elapse(site);
  if (!pipe_take_turn(EVENT_TIMER_READ, &counter->object, &turn)) return model_fail(EINTR);
  const uint64_t times = counter->counter;
  counter->counter = 0;
  if (times) {
    spin_end(self());
    counter->object.version++;
  }
  record_object(EVENT_TIMER_READ, &counter->object, site, times);
  if (!times) return model_fail(EAGAIN);
  races_acquire(&counter->object);
  pipe_announce_access(buffer, sizeof times, site, true);
  memcpy(buffer, &times, sizeof times);
  return sizeof times;
}

static struct timer *timer_of(int descriptor) {
  const struct description *end = pipe_description(descriptor);
  if (end && end->input && end->input->timer) return end->input->timer;
  model_fail(end || system_call(SYS_fcntl, descriptor, 1 /* F_GETFD */) >= 0 ? EINVAL : EBADF);
  return NULL;
}

static bool is_time(const struct timespec *time) {
  return time->tv_sec >= 0 && time->tv_nsec >= 0 && time->tv_nsec < (long)SECOND;
}

static uint64_t nanoseconds_of(const struct timespec *time) {
  return (uint64_t)time->tv_sec * SECOND + (uint64_t)time->tv_nsec;
}

static struct timespec time_of(uint64_t nanoseconds) {
  return (struct timespec){(time_t)(nanoseconds / SECOND), (long)(nanoseconds % SECOND)};
}

/* From now on; a moment that is over is the next one. */
static uint64_t time_until(const struct timer *timer, const struct timespec *time, bool is_absolute) {
  const uint64_t value = nanoseconds_of(time), now = self()->clock_nanoseconds + timer->offset;
  if (!is_absolute || value == 0) return value;
  return value > now ? value - now : 1;
}

int timer_change(struct timer *timer, bool is_absolute, const struct itimerspec *value, struct itimerspec *old,
                 site_id site) {
  model_reads(value, sizeof *value, site);
  const struct itimerspec wanted = *value;
  if (!is_time(&wanted.it_value) || !is_time(&wanted.it_interval)) return model_fail(EINVAL);
  const uint64_t interval = timer->interval;
  const uint64_t left =
      timer_set(timer, time_until(timer, &wanted.it_value, is_absolute), nanoseconds_of(&wanted.it_interval), site);
  const struct itimerspec told = {.it_interval = time_of(interval), .it_value = time_of(left)};
  model_store(old, &told, sizeof told, site);
  return 0;
}

int timer_tell(const struct timer *timer, struct itimerspec *value, site_id site) {
  const uint64_t left = timer->has_thread ? timer_left(timer, site) : 0;
  const struct itimerspec told = {.it_interval = time_of(timer->interval), .it_value = time_of(left)};
  model_store(value, &told, sizeof told, site);
  return 0;
}

WRAPPED(int, timerfd_settime, (int descriptor, int flags, const struct itimerspec *value, struct itimerspec *old),
        (descriptor, flags, value, old)) {
  const site_id site = take_site();
  struct timer *timer = timer_of(descriptor);
  if (!timer) return -1;
  if (flags & ~(TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET)) return model_fail(EINVAL);
  return timer_change(timer, flags & TFD_TIMER_ABSTIME, value, old, site);
}

WRAPPED(int, timerfd_gettime, (int descriptor, struct itimerspec *value), (descriptor, value)) {
  const site_id site = take_site();
  const struct timer *timer = timer_of(descriptor);
  return timer ? timer_tell(timer, value, site) : -1;
}
