/* SPDX-License-Identifier: MIT
 *
 * The process of an executor: starting it with its channel, seeing it end, ending it. It leads a process group of its
 * own, dies with heddle, and has no address-space randomisation. Where heddle ends by exit, the whole group goes first.
 */
#ifndef HEDDLE_EXPLORE_EXECUTOR_PROCESS_H
#define HEDDLE_EXPLORE_EXECUTOR_PROCESS_H

#include "base/error.h"

#include <stdint.h>
#include <sys/types.h>

struct process_settings {
  const char *executable;
  const char *const *arguments; /* argv of the program, ends with NULL */
  int channel;                  /* file descriptor of the shared memory */
  int output;                   /* standard output and error of the program; -1 for /dev/null */
  const char *const *command;   /* not NULL: a debugger that will start the program; it has our terminal */
};

bool process_start(const struct process_settings *settings, pid_t *pid, struct error *error);
/* How it ended. */
struct process_end {
  int status; /* as waitpid says */
  uint64_t peak_rss_kb;
};

/* Without waiting: has it ended? Then the rest of its group is killed. */
bool process_has_ended(pid_t pid, struct process_end *end);
void process_signal_group(pid_t pid, int signal);
/* The same, after waiting until it has ended, or the time is over. */
bool process_wait(pid_t pid, int milliseconds, struct process_end *end);
/* Waits for as long as it takes. */
struct process_end process_await(pid_t pid);
/* Kills the whole group and waits for its leader. */
struct process_end process_kill(pid_t pid);

#endif
