// SPDX-License-Identifier: MIT
// The handler of SIGCHLD runs when the child has ended: before the signal is blocked, or while it may come again.
// expect: exit=0 verdict=clean runs=3 observations=2
// observe: early=0
// observe: early=1
#include "heddle.h"
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t ended;

static void reap(int signal) {
  while (waitpid(-1, NULL, WNOHANG) > 0) ended++;
}

int main(void) {
  const struct sigaction action = {.sa_handler = reap};
  sigset_t blocked, before;
  sigaction(SIGCHLD, &action, NULL);
  if (fork() == 0) _exit(0);
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGCHLD);
  sigprocmask(SIG_BLOCK, &blocked, &before);
  heddle_observe("early", ended);
  while (!ended) sigsuspend(&before);
  return ended - 1;
}
