// SPDX-License-Identifier: MIT
// sigwait for SIGCHLD returns when the child has ended, and waitpid with WNOHANG tells its status then.
// expect: exit=0 verdict=clean runs=1
#include <assert.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  sigset_t set;
  int signal, status;
  sigemptyset(&set);
  sigaddset(&set, SIGCHLD);
  sigprocmask(SIG_BLOCK, &set, NULL);
  const pid_t child = fork();
  if (child == 0) _exit(3);
  assert(sigwait(&set, &signal) == 0 && signal == SIGCHLD);
  assert(waitpid(child, &status, WNOHANG) == child && WEXITSTATUS(status) == 3);
  return 0;
}
