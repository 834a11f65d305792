/* SPDX-License-Identifier: MIT
 *
 * The activity of each thread is a thread-local variable.
 */
#include "failure.h"
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static THREAD_LOCAL const char *current_activity = "starting";

void failure_set_activity(const char *activity) {
  current_activity = activity;
}

void fail(const char *what, int error) {
  fprintf(stderr, "tally: %s while %s: %s\n", what, current_activity, strerror(error));
  exit(1);
}
