/* SPDX-License-Identifier: MIT
 *
 * What all runs of a program have in common (struct knowledge of abi/channel.h): names of threads, shared locations,
 * warnings; and what they observed. The engine's own is a value that traces add to; that of a process is written by
 * whatever runs there, so counts are read through functions that keep them in range.
 */
#ifndef HEDDLE_EXPLORE_EXECUTOR_KNOWLEDGE_H
#define HEDDLE_EXPLORE_EXECUTOR_KNOWLEDGE_H

#include "trace/trace.h"

/* --- the engine's knowledge and that of a process --- */

/* Takes what the trace adds; false if it does not fit, and then nothing is taken (abi/channel.h). */
bool knowledge_take(struct knowledge *knowledge, struct observations *observations, const struct trace_view *trace);
/* Gives a process that is about to start what the engine knows. What was untold is forgotten. */
void knowledge_load(struct process_knowledge *process, struct knowledge *knowledge);

/* --- what is in it --- */

uint32_t knowledge_threads(const struct knowledge *knowledge);
uint32_t knowledge_most_threads(const struct knowledge *knowledge); /* of any one run */
uint32_t knowledge_shared(const struct knowledge *knowledge);
uint32_t knowledge_warnings(const struct knowledge *knowledge);
uint32_t knowledge_touches(const struct knowledge *knowledge);
uint32_t knowledge_births(const struct knowledge *knowledge);
/* A copy of warning i with threads that exist and a message that ends; false: it is none. */
bool knowledge_warning(const struct knowledge *knowledge, uint32_t i, struct warning *warning);

/* Has only the runtime written to it, and the engine with knowledge_seal after that? (abi/check.h) At rest only. */
bool knowledge_is_sound(const struct knowledge *knowledge);
/* What it is now is as it should be. */
void knowledge_seal(struct knowledge *knowledge);

/* What threads touched is forgotten: ids may have another meaning from now on. */
void knowledge_copy_threads(struct knowledge *to, const struct knowledge *from);
void knowledge_copy_shared(struct knowledge *to, const struct knowledge *from);
/* False if runs did what nobody sees. When the processes have ended: what a child left behind becomes a warning here.
 */
bool knowledge_follows_all(struct knowledge *knowledge);
void knowledge_copy_warnings(struct knowledge *to, const struct knowledge *from);
bool knowledge_same_shared(const struct knowledge *a, const struct knowledge *b);
/* What was observed is counted from zero again. */
void observations_forget(struct observations *observations);
/* As if the run of the trace had observed nothing. */
void observations_take_back(struct observations *observations, const struct trace_view *trace);

#endif
