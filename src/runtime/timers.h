/* SPDX-License-Identifier: MIT
 *
 * Timers of the program: of alarm and setitimer, of timer_create, and descriptors of timerfd_create (timers.c).
 */
#ifndef HEDDLE_RUNTIME_TIMERS_H
#define HEDDLE_RUNTIME_TIMERS_H

#include "abi/channel.h"

#include <stdbool.h>
#include <stdint.h>

#define MAX_TIMERS 32u
#define ALARM_TIMER 0u /* which one that of alarm is */

enum timer_action { TIMER_SIGNALS, TIMER_COUNTS, TIMER_STARTS_THREAD, TIMER_DOES_NOTHING };

struct pipe_state;
struct thread;

struct timer {
  bool is_used, is_set;
  bool may_expire_early; /* it has not expired since it was set */
  uint8_t action;        /* enum timer_action */
  bool has_thread;
  thread_id thread; /* that heddle made for it */
  thread_id owner;  /* who set it: the deadline is by that thread's clock */
  thread_id target; /* of the signal, NO_THREAD: the process */
  int signal;
  uint64_t nanoseconds, interval;
  uint64_t value;                   /* that goes with the signal, or to the thread */
  void *(*start)(void *);           /* of the thread */
  uint64_t offset;                  /* of its clock (timer_clock_offset) */
  uint64_t overruns, told_overruns; /* since its signal was sent, and before that */
  struct pipe_state *counter;
};

struct timers {
  uint32_t n_used; /* places used in this run; 0: there is none */
  struct timer timers[MAX_TIMERS];
};

void timers_begin_run(void);
struct timer *timer_new(enum timer_action action);
/* Times are nanoseconds. Returns how much was left; a step. 0: it is not set any more. */
uint64_t timer_set(struct timer *timer, uint64_t in, uint64_t interval, site_id site);
uint64_t timer_left(const struct timer *timer, site_id site); /* a step */
void timer_remove(struct timer *timer);
/* What the calling thread has set, and its clock has passed, has expired by now. */
void timers_elapse(site_id site);
/* For the scheduler. */
bool timer_can_expire(const struct thread *thread);
bool timer_let_time_pass(void); /* nobody can move, so time passes; false: no timer is set */

/* model_timerfd.c: what timerfd_settime and timer_settime, timerfd_gettime and timer_gettime do. */
struct itimerspec;
int timer_change(struct timer *timer, bool is_absolute, const struct itimerspec *value, struct itimerspec *old,
                 site_id site);
int timer_tell(const struct timer *timer, struct itimerspec *value, site_id site);

/* model_time.c: added to a thread's clock, this is what that clock of the system says. */
uint64_t timer_clock_offset(int clock);
bool timer_has_clock(int clock);

#endif
