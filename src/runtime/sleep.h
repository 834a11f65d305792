/* SPDX-License-Identifier: MIT
 *
 * Threads that a plan sets to sleep.
 */
#ifndef HEDDLE_RUNTIME_SLEEP_H
#define HEDDLE_RUNTIME_SLEEP_H

#include "runtime.h"

void sleep_begin_run(void);
/* Before a choice, when somebody is asleep: wakes whom the events since the last choice wake. */
void sleep_look_at_events(void);
/* The threads that the policy may choose from, when somebody is asleep; ends the run when there is none. */
const struct thread_set *sleep_awake(void);
/* May the thread, which stands before a receive, take the message with this number? */
bool sleep_may_take(const struct thread *thread, uint64_t message);

#endif
