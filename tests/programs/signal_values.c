// SPDX-License-Identifier: MIT
// What the functions for signals return, in one thread: tests/cli/kernel.sh compares it with the kernel.
// expect: exit=0 verdict=clean runs=1
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define FAILS(call, number) (errno = 0, (call) == -1 && errno == (number))

static int handled, blocked_inside;

static void handle(int number) {
  sigset_t mask;
  pthread_sigmask(SIG_BLOCK, NULL, &mask);
  blocked_inside = sigismember(&mask, SIGUSR1) + 2 * sigismember(&mask, SIGUSR2);
  handled = handled * 100 + number;
}

int main(void) {
  sigset_t set, pending, none;
  siginfo_t information;
  int number = 0;
  const struct timespec now = {0, 0}, soon = {0, 1000}, bad = {0, 2000000000};
  struct sigaction action = {.sa_handler = handle}, old;
  sigemptyset(&none);
  sigemptyset(&set);
  sigaddset(&set, SIGUSR2);
  action.sa_mask = set;
  assert(sigaction(SIGUSR1, &action, NULL) == 0 && sigaction(SIGUSR2, &action, &old) == 0 && old.sa_handler == SIG_DFL);
  assert(sigaction(SIGUSR1, NULL, &old) == 0 && old.sa_handler == handle && sigismember(&old.sa_mask, SIGUSR2));
  assert(raise(SIGUSR1) == 0 && handled == SIGUSR1 && blocked_inside == 3);
  assert(pthread_kill(pthread_self(), SIGUSR2) == 0 && handled == SIGUSR1 * 100 + SIGUSR2 && blocked_inside == 2);
  assert(pthread_kill(pthread_self(), 1000) == EINVAL && pthread_kill(pthread_self(), 0) == 0);

  assert(pthread_sigmask(77, &set, NULL) == EINVAL && FAILS(sigprocmask(77, &set, NULL), EINVAL));
  handled = 0;
  assert(sigprocmask(SIG_BLOCK, &set, NULL) == 0 && raise(SIGUSR2) == 0 && handled == 0);
  assert(sigpending(&pending) == 0 && sigismember(&pending, SIGUSR2) && !sigismember(&pending, SIGUSR1));
  assert(sigprocmask(SIG_UNBLOCK, &set, &pending) == 0 && handled == SIGUSR2 && sigismember(&pending, SIGUSR2));

  assert(sigprocmask(SIG_BLOCK, &set, NULL) == 0);
  assert(FAILS(sigtimedwait(&set, NULL, &now), EAGAIN) && FAILS(sigtimedwait(&set, NULL, &soon), EAGAIN));
  assert(FAILS(sigtimedwait(&set, NULL, &bad), EINVAL));
  assert(kill(getpid(), SIGUSR2) == 0 && sigwait(&set, &number) == 0 && number == SIGUSR2);
  assert(raise(SIGUSR2) == 0 && sigwaitinfo(&set, &information) == SIGUSR2 && information.si_signo == SIGUSR2);
  handled = 0;
  assert(raise(SIGUSR2) == 0 && FAILS(sigsuspend(&none), EINTR) && handled == SIGUSR2);
  assert(sigprocmask(SIG_BLOCK, NULL, &pending) == 0 && sigismember(&pending, SIGUSR2));

  action.sa_flags = (int)SA_RESETHAND;
  assert(sigaction(SIGUSR1, &action, NULL) == 0 && raise(SIGUSR1) == 0);
  assert(sigaction(SIGUSR1, NULL, &old) == 0 && old.sa_handler == SIG_DFL);
  return 0;
}
