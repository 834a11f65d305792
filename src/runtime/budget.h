/* SPDX-License-Identifier: MIT
 *
 * How much memory a run may have.
 */
#ifndef HEDDLE_RUNTIME_BUDGET_H
#define HEDDLE_RUNTIME_BUDGET_H

#include "runtime.h"

void budget_begin_run(void);
/* Whether an allocation that needs so many bytes of its arena is granted; false: it fails with ENOMEM. */
bool budget_grants(uint64_t bytes, uint64_t arena_left, site_id site);
bool budget_grants_mapping(uint64_t bytes);
bool budget_allows_file(uint64_t bytes); /* of a file that is kept in memory */
void budget_give_back(uint64_t bytes);   /* what was granted is free again */

#endif
