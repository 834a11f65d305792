/* SPDX-License-Identifier: MIT
 *
 * What a run notices that is not its end.
 */
#ifndef HEDDLE_RUNTIME_WARNINGS_H
#define HEDDLE_RUNTIME_WARNINGS_H

#include "runtime.h"

/* Keeps it unless the same kind was seen at the same two places; the seed is filled in. */
void warnings_add(const struct warning *warning);
bool warnings_has(enum warning_kind kind, site_id site, site_id other_site);

#endif
