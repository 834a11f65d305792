/* SPDX-License-Identifier: MIT
 *
 * Plans in, runs, traces out.
 */
#ifndef HEDDLE_RUNTIME_EXECUTOR_H
#define HEDDLE_RUNTIME_EXECUTOR_H

#include "runtime.h"

/* The program crashed: publishes the run from where it stands, and ends the process. */
_Noreturn void executor_end_with(enum outcome outcome, int status, uint64_t address, uint64_t instruction);
/* The runtime cannot continue: the run ends at a limit of heddle, and outside of runs the process does. */
_Noreturn void executor_die(const char *why);
void executor_initialise(void);
_Noreturn void executor_serve(void); /* performs plans until there are to be no more */
/* What a run gets from its plan when it begins. */
void executor_name_run(const struct plan *plan, uint32_t number);
/* The indices of the coverage bytes that are set; how many, and how much room they may need. */
uint32_t coverage_list(uint32_t *bytes);
uint64_t coverage_room_bytes(void);

bool executor_is_in_runtime(uint64_t instruction);
bool executor_owns(uint64_t mapping); /* one of its own, beside the regions of abi/layout.h */

#endif
