/* SPDX-License-Identifier: MIT
 *
 * Choices, by the plan or by its policy.
 */
#ifndef HEDDLE_RUNTIME_CHOOSE_H
#define HEDDLE_RUNTIME_CHOOSE_H

#include "runtime.h"

/* One of rt->enabled, for the next step, which it begins. */
struct thread *choose_thread(void);
/* The same in line, if nothing is unusual (struct runtime), and no checkpoint is due. */
struct thread *choose_usually(uint64_t enabled);
/* How many ways the operation being performed can go: returns the one to take. Call at most once, after it was chosen
 * and before it is recorded. */
uint16_t choose_alternative(uint16_t count);
/* A choice of one or two ways inside what a thread does on its own: true for the one that is rarely taken. To be
 * recorded. */
bool choose_rarely(uint16_t ways);
/* Where the priorities of POLICY_PRIORITY change. */
void choose_priorities(void);

#endif
