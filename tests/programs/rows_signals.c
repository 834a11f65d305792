// SPDX-License-Identifier: MIT
// Signals a program sends itself: handlers of both kinds, the handler before, ignored signals, and the errors.
// expect: exit=0 verdict=clean runs=1
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <unistd.h>

static int handled, informed;

static void handle(int number) {
  handled = number;
}

static void handle_with_information(int number, siginfo_t *information, void *context) {
  informed = information->si_signo;
}

int main(void) {
  assert(signal(SIGUSR1, handle) == SIG_DFL);
  assert(raise(SIGUSR1) == 0 && handled == SIGUSR1);
  assert(signal(SIGUSR1, SIG_IGN) == handle);
  handled = 0;
  assert(raise(SIGUSR1) == 0 && handled == 0);
  assert(signal(SIGKILL, handle) == SIG_ERR && errno == EINVAL);
  assert(signal(1000, handle) == SIG_ERR && errno == EINVAL);

  struct sigaction action = {.sa_sigaction = handle_with_information, .sa_flags = SA_SIGINFO}, before;
  assert(sigaction(SIGUSR2, &action, &before) == 0 && before.sa_handler == SIG_DFL);
  assert(kill(getpid(), SIGUSR2) == 0 && informed == SIGUSR2);
  assert(sigaction(SIGUSR2, NULL, &before) == 0 && before.sa_sigaction == handle_with_information);
  assert(sigaction(SIGSTOP, &action, NULL) == -1 && errno == EINVAL);
  assert(sigaction(0, &action, NULL) == -1 && errno == EINVAL);
  assert(kill(getpid(), 0) == 0);
  assert(raise(SIGCHLD) == 0); // ignored unless handled
  assert(kill(getpid(), 1000) == -1 && errno == EINVAL);
  assert(kill(1 << 22, 0) == -1 && errno == ESRCH); // nobody has that number
  return 0;
}
