/* SPDX-License-Identifier: MIT */
#include "explore/executor/process.h"

#include "abi/channel.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define CANNOT_EXECUTE 127

/* --- groups that have not been killed: heddle does not end without them --- */

#define MOST_GROUPS 16

static pid_t groups[MOST_GROUPS], groups_owner;

static void kill_groups(void) {
  for (size_t i = 0; i < MOST_GROUPS; i++)
    if (groups[i] && groups_owner == getpid()) process_kill(groups[i]);
}

static void note_group(pid_t pid) {
  if (!groups_owner) atexit(kill_groups);
  groups_owner = getpid();
  for (size_t i = 0; i < MOST_GROUPS; i++) {
    if (groups[i]) continue;
    groups[i] = pid;
    return;
  }
}

static void forget_group(pid_t pid) {
  for (size_t i = 0; i < MOST_GROUPS; i++)
    if (groups[i] == pid) groups[i] = 0;
}

/* --- starting --- */

static void restore_signals(void) {
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  signal(SIGPIPE, SIG_DFL);
  signal(SIGINT, SIG_DFL);
  signal(SIGTERM, SIG_DFL);
  signal(SIGHUP, SIG_DFL);
}

static void direct_files(int output) {
  const int null = open("/dev/null", O_RDWR);
  dup2(null, STDIN_FILENO);
  dup2(output >= 0 ? output : null, STDOUT_FILENO);
  dup2(output >= 0 ? output : null, STDERR_FILENO);
  if (null > STDERR_FILENO) close(null);
}

/* The parent may have died before PR_SET_PDEATHSIG took effect; then nobody would end this process. */
static void die_with(pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(CANNOT_EXECUTE);
}

static _Noreturn void become_program(const struct process_settings *settings, pid_t parent) {
  char number[16];
  snprintf(number, sizeof number, "%d", settings->channel);
  die_with(parent);
  restore_signals();
  fcntl(settings->channel, F_SETFD, 0); /* those of other processes are not for this one: it would have other numbers */
  if (settings->command) {
    setenv(HEDDLE_CHANNEL_VARIABLE, number, 1);
    execvp(settings->command[0], (char *const *)settings->command);
    _exit(CANNOT_EXECUTE);
  }
  setpgid(0, 0);
  direct_files(settings->output);
  personality(ADDR_NO_RANDOMIZE);
  setenv(HEDDLE_CHANNEL_VARIABLE, number, 1);
  execv(settings->executable, (char *const *)settings->arguments);
  _exit(CANNOT_EXECUTE);
}

bool process_start(const struct process_settings *settings, pid_t *pid, struct error *error) {
  if (access(settings->executable, X_OK) < 0) return error_set_errno(error, "cannot execute %s", settings->executable);
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child < 0) return error_set_errno(error, "cannot start %s", settings->executable);
  if (child == 0) become_program(settings, parent);
  if (!settings->command) setpgid(child, child);
  if (!settings->command) note_group(child);
  *pid = child;
  return true;
}

/* --- its end --- */

/* Once it was waited for, its number and that of its group may be another's. */
static bool is_running(pid_t pid) {
  siginfo_t information = {0};
  return waitid(P_PID, (id_t)pid, &information, WEXITED | WNOHANG | WNOWAIT) == 0 && information.si_pid == 0;
}

bool process_has_ended(pid_t pid, struct process_end *end) {
  *end = (struct process_end){0};
  if (is_running(pid)) return false;
  kill(-pid, SIGKILL);
  *end = process_await(pid);
  return true;
}

bool process_wait(pid_t pid, int milliseconds, struct process_end *end) {
  const struct timespec pause = {0, 100000};
  for (int i = 0; i < milliseconds * 10; i++) {
    if (process_has_ended(pid, end)) return true;
    nanosleep(&pause, NULL);
  }
  return false;
}

void process_signal_group(pid_t pid, int signal) {
  kill(-pid, signal);
}

struct process_end process_await(pid_t pid) {
  struct process_end end = {0};
  struct rusage usage = {0};
  while (wait4(pid, &end.status, 0, &usage) < 0 && errno == EINTR) continue;
  end.peak_rss_kb = (uint64_t)usage.ru_maxrss;
  forget_group(pid);
  return end;
}

struct process_end process_kill(pid_t pid) {
  kill(-pid, SIGKILL);
  kill(pid, SIGKILL);
  return process_await(pid);
}
