// SPDX-License-Identifier: MIT
// What calls on timers return, one thread only: tests/cli/kernel.sh compares it with the kernel.
// expect: exit=0 verdict=clean warnings=0
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#define FAILS(call, number) (errno = 0, (call) == -1 && errno == (number))

static const struct itimerspec soon = {.it_value = {0, 5000000}}, late = {.it_value = {1000, 0}}, never = {0};
static volatile sig_atomic_t handled, told;

static void handle(int number, siginfo_t *information, void *context) {
  (void)number, (void)context;
  handled++;
  told = information->si_value.sival_int;
}

/* Time passes as the schedule says: what takes long may be over, but never in part. */
static int is_late(time_t seconds) {
  return seconds == 0 || seconds >= 999;
}

static void wait_a_little(void) {
  nanosleep(&(struct timespec){0, 20000000}, NULL);
}

static void descriptors(void) {
  struct itimerspec left;
  struct pollfd entry;
  struct epoll_event event = {.events = EPOLLIN};
  uint64_t times = 0;
  const int timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK), set = epoll_create1(0);
  entry = (struct pollfd){timer, POLLIN | POLLOUT, 0};
  assert(FAILS(timerfd_create(77, 0), EINVAL) && FAILS(timerfd_create(CLOCK_MONOTONIC, 1), EINVAL));
  assert(FAILS(timerfd_settime(999, 0, &soon, NULL), EBADF) && FAILS(timerfd_settime(set, 0, &soon, NULL), EINVAL));
  assert(FAILS(read(timer, &times, 8), EAGAIN) && FAILS(read(timer, &times, 7), EINVAL));
  assert(FAILS(write(timer, &times, 8), EINVAL));
  assert(epoll_ctl(set, EPOLL_CTL_ADD, timer, &event) == 0 && epoll_wait(set, &event, 1, 0) == 0);
  assert(timerfd_gettime(timer, &left) == 0 && left.it_value.tv_sec == 0 && left.it_value.tv_nsec == 0);
  assert(timerfd_settime(timer, 0, &late, NULL) == 0 && timerfd_gettime(timer, &left) == 0);
  assert(is_late(left.it_value.tv_sec));
  assert(timerfd_settime(timer, 0, &soon, &left) == 0 && is_late(left.it_value.tv_sec) && left.it_interval.tv_sec == 0);
  wait_a_little();
  assert(poll(&entry, 1, 0) == 1 && entry.revents == POLLIN && epoll_wait(set, &event, 1, 0) == 1);
  assert(epoll_pwait2(set, &event, 1, &(struct timespec){0, 1000}, NULL) == 1);
  assert(read(timer, &times, 8) == 8 && times == 1 && FAILS(read(timer, &times, 8), EAGAIN));
  assert(timerfd_settime(timer, 0, &soon, NULL) == 0 && timerfd_settime(timer, 0, &never, NULL) == 0);
  wait_a_little();
  assert(FAILS(read(timer, &times, 8), EAGAIN));
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  const struct itimerspec moment = {.it_value = now};
  assert(timerfd_settime(timer, TFD_TIMER_ABSTIME, &moment, NULL) == 0);
  wait_a_little();
  assert(read(timer, &times, 8) == 8 && times == 1);
  close(timer), close(set);
}

static void signals(void) {
  timer_t timer, quiet;
  struct itimerspec left;
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1, .sigev_value.sival_int = 42};
  const struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO};
  assert(sigaction(SIGUSR1, &action, NULL) == 0 && timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
  event.sigev_signo = 99;
  assert(FAILS(timer_create(CLOCK_MONOTONIC, &event, &quiet), EINVAL));
  event.sigev_notify = SIGEV_NONE;
  assert(timer_create(CLOCK_REALTIME, &event, &quiet) == 0 && timer_settime(quiet, 0, &late, NULL) == 0);
  assert(timer_gettime(quiet, &left) == 0 && is_late(left.it_value.tv_sec) && timer_delete(quiet) == 0);
  assert(timer_settime(timer, 0, &late, NULL) == 0 && timer_settime(timer, 0, &never, &left) == 0);
  assert(is_late(left.it_value.tv_sec) && timer_gettime(timer, &left) == 0 && left.it_value.tv_sec == 0);
  handled = 0;
  assert(timer_settime(timer, 0, &soon, NULL) == 0);
  wait_a_little();
  assert(handled == 1 && told == 42 && timer_getoverrun(timer) == 0 && timer_delete(timer) == 0);
  assert(sigqueue(getpid(), SIGUSR1, (union sigval){.sival_int = 7}) == 0 && handled == 2 && told == 7);
  struct itimerval alarm_left;
  assert(setitimer(ITIMER_REAL, &(struct itimerval){.it_value = {1000, 0}}, NULL) == 0);
  assert(getitimer(ITIMER_REAL, &alarm_left) == 0 && alarm_left.it_value.tv_sec >= 999 && alarm(0) >= 999);
}

int main(void) {
  descriptors();
  signals();
  return 0;
}
