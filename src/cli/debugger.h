/* SPDX-License-Identifier: MIT
 *
 * A bug in gdb: the program's threads are real ones there, and it stops where the run fails.
 */
#ifndef HEDDLE_CLI_DEBUGGER_H
#define HEDDLE_CLI_DEBUGGER_H

#include "report/bundle.h"
#include "report/describe.h"

struct debugger_settings {
  const struct executor_settings *executor;
  uint64_t stop_at;             /* stop at this step, 0: only where the run ends */
  const char *const *arguments; /* more for gdb, ends with NULL */
};

/* Returns when gdb has ended; *status is its exit status. */
bool debugger_run(const struct bundle *bundle, const struct scene *scene, const struct debugger_settings *settings,
                  int *status, struct error *error);

#endif
