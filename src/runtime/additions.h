/* SPDX-License-Identifier: MIT
 *
 * What runs add to the process's knowledge, until a trace has said it (abi/channel.h).
 */
#ifndef HEDDLE_RUNTIME_ADDITIONS_H
#define HEDDLE_RUNTIME_ADDITIONS_H

#include "abi/channel.h"

/* A granule that was known before has more shared bytes, or more cuts. */
void additions_granule_grew(uint32_t place);
/* A coverage byte that no run of this process had set before. */
void additions_covered(uint32_t place);
/* A run has ended that observed this. */
void additions_observed(const char *text, uint32_t bytes);
/* Write what struct addition counts: its lists, and among the trace's texts that of what was observed. They return the
 * end of what they wrote. */
char *additions_append(struct trace *trace, char *at);
char *additions_append_text(const struct trace *trace, char *at);
/* The trace is published. */
void additions_were_told(const struct trace *trace);

#endif
