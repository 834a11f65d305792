/* SPDX-License-Identifier: MIT
 *
 * How runs end.
 */
#ifndef HEDDLE_RUNTIME_ENDS_H
#define HEDDLE_RUNTIME_ENDS_H

#include "runtime.h"

_Noreturn void finish_run(enum outcome outcome, site_id site, uint64_t address);
/* The run would need more than heddle has room for: that is not the program's fault. */
_Noreturn void finish_at_limit(const char *what);
_Noreturn void finish_at_limit_at(site_id site, const char *what); /* which is there, not where the thread is */
_Noreturn void finish_run_with_message(enum outcome outcome, site_id site, uint64_t address, const char *message);
/* Ends the run as the first that failed did; returns when nobody has. */
void finish_late_run(void);
/* The running thread ends the process. */
_Noreturn void finish_process(struct process_exit end);
/* The running thread stops: it would create more threads than allowed. The others continue. */
_Noreturn void finish_creating(site_id site);
/* Nobody can move: the process ends, or there is a deadlock or a livelock. */
_Noreturn void finish_stuck_run(void);

#endif
