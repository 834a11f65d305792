/* SPDX-License-Identifier: MIT
 *
 * Accesses of memory.
 */
#ifndef HEDDLE_RUNTIME_ACCESSES_H
#define HEDDLE_RUNTIME_ACCESSES_H

#include "runtime.h"

/* What would be noticed if the running thread performed this access now, without performing it. */
void accesses_glance(uint8_t kind, uint64_t address, uint64_t size, site_id site);

#endif
