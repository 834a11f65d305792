/* SPDX-License-Identifier: MIT
 *
 * The written form of what the engine knows of a program's runs: knowledge, what they observed, what they covered.
 */
#ifndef HEDDLE_EXPLORE_EXECUTOR_KNOWN_WRITTEN_H
#define HEDDLE_EXPLORE_EXECUTOR_KNOWN_WRITTEN_H

#include "base/written.h"
#include "trace/trace.h"

void knowledge_write(const struct knowledge *knowledge, struct text *state);
/* False: nobody wrote that. */
bool knowledge_read(struct knowledge *knowledge, struct written *state);
void observations_write(const struct observations *observations, struct text *state);
bool observations_read(struct observations *observations, struct written *state);
/* `count` bytes that are 0 or 1. */
void coverage_write(const uint8_t *covered, uint32_t count, struct text *state);
bool coverage_read(uint8_t *covered, uint32_t count, struct written *state);

#endif
