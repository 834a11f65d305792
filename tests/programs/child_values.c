// SPDX-License-Identifier: MIT
// What fork, vfork, wait and its like return, natively and under heddle.
// heddle: --strategy exhaustive
// expect: exit=0 verdict=clean bugs=0
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t child_with(int status) {
  const pid_t child = fork();
  if (child == 0) _exit(status);
  assert(child > 0);
  return child;
}

static int handled;
static void at_exit(void) {
  handled++;
}

int main(void) {
  int status = 0;
  siginfo_t information;
  struct rusage usage;
  assert(wait(&status) == -1 && errno == ECHILD);
  assert(waitpid(-1, &status, WNOHANG) == -1 && errno == ECHILD);
  assert(waitpid(1, &status, 0) == -1 && errno == ECHILD);
  assert(waitpid(-1, &status, 12345678) == -1 && errno == EINVAL);

  pid_t child = child_with(3);
  assert(wait(&status) == child && WIFEXITED(status) && WEXITSTATUS(status) == 3);
  assert(waitpid(child, &status, 0) == -1 && errno == ECHILD);

  child = child_with(4);
  assert(wait4(child, &status, 0, &usage) == child && WEXITSTATUS(status) == 4);
  child = child_with(5);
  assert(wait3(&status, 0, NULL) == child && WEXITSTATUS(status) == 5);
  child = child_with(6);
  assert(waitpid(0, &status, 0) == child && WEXITSTATUS(status) == 6);

  child = child_with(7);
  assert(waitid(P_PID, (id_t)child, &information, WEXITED | WNOWAIT) == 0);
  assert(information.si_pid == child && information.si_code == CLD_EXITED && information.si_status == 7);
  assert(waitid(P_ALL, 0, &information, WEXITED) == 0 && information.si_pid == child);
  assert(waitid(P_ALL, 0, &information, WEXITED) == -1 && errno == ECHILD);
  assert(waitid(P_ALL, 0, &information, 0) == -1 && errno == EINVAL);

  child = fork();
  if (child == 0) abort();
  assert(waitpid(child, &status, 0) == child && WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);

  child = fork();
  if (child == 0) {
    *(volatile int *)0 = 1;
    _exit(0);
  }
  assert(waitpid(child, &status, 0) == child && WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);

  child = fork();
  if (child == 0)
    for (;;) pause();
  assert(kill(child, 0) == 0 && kill(child, SIGTERM) == 0);
  assert(waitpid(child, &status, 0) == child && WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
  assert(kill(child, 0) == -1 && errno == ESRCH);

  atexit(at_exit);
  child = fork();
  if (child == 0) exit(handled);
  assert(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
  assert(handled == 0);

  child = vfork();
  if (child == 0) _exit(8);
  assert(waitpid(child, NULL, 0) == child);
  return 0;
}
