/* SPDX-License-Identifier: MIT
 *
 * What all runs of a program have in common (struct knowledge of abi/channel.h): names of threads, shared locations,
 * observed outcomes, warnings. The executor's process writes it, so counts are read through functions that keep them in
 * range.
 */
#ifndef HEDDLE_EXPLORE_EXECUTOR_KNOWLEDGE_H
#define HEDDLE_EXPLORE_EXECUTOR_KNOWLEDGE_H

#include "abi/channel.h"

#include <stdbool.h>

uint32_t knowledge_threads(const struct knowledge *knowledge);
uint32_t knowledge_most_threads(const struct knowledge *knowledge); /* of any one run */
uint32_t knowledge_shared(const struct knowledge *knowledge);
uint32_t knowledge_observed(const struct knowledge *knowledge);
uint32_t knowledge_warnings(const struct knowledge *knowledge);
/* A copy of warning i with threads that exist and a message that ends; false: it is none. */
bool knowledge_warning(const struct knowledge *knowledge, uint32_t i, struct warning *warning);

/* Has only the runtime written to it, and the engine with knowledge_seal behind it? (abi/check.h) At rest only. */
bool knowledge_is_sound(const struct knowledge *knowledge);
/* What it is now is as it should be. */
void knowledge_seal(struct knowledge *knowledge);

void knowledge_copy_threads(struct knowledge *to, const struct knowledge *from);
void knowledge_copy_shared(struct knowledge *to, const struct knowledge *from);
/* False if runs did what nobody sees. When the processes have ended: what a child left behind becomes a warning here.
 */
bool knowledge_follows_all(struct knowledge *knowledge);
void knowledge_copy_warnings(struct knowledge *to, const struct knowledge *from);
bool knowledge_same_shared(const struct knowledge *a, const struct knowledge *b);
/* Observations are counted from zero again. */
void knowledge_forget_observations(struct knowledge *knowledge);
/* The text of an observation; "" if it lies outside. `bytes` is its length, it is not zero-terminated. */
const char *knowledge_observed_text(const struct knowledge *knowledge, uint32_t i, uint32_t *bytes);

#endif
