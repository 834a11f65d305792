/* SPDX-License-Identifier: MIT
 *
 * --check-once: keeps what identifies the SYN-sequence of every run. With reachability no sequence may come twice; with
 * any other strategy this counts how many different ones its runs have.
 */
#ifndef HEDDLE_EXPLORE_REACHABILITY_SEQUENCES_H
#define HEDDLE_EXPLORE_REACHABILITY_SEQUENCES_H

#include "base/number_set.h"
#include "base/written.h"
#include "explore/inputs/inputs.h"
#include "explore/reachability/syn_run.h"

struct sequences {
  struct syn_run run;
  struct number_set seen;
  VECTOR(uint16_t) ways;
  VECTOR(uint32_t) sides;
  uint64_t twice; /* runs whose sequence had been there before */
};

void sequences_clear(struct sequences *sequences);
void sequences_free(struct sequences *sequences);
void sequences_write(const struct sequences *sequences, struct text *state);
bool sequences_read(struct sequences *sequences, struct written *state);
/* Of a whole run and its path, NULL: it has no inputs. Runs that were given up have no sequence. */
void sequences_add(struct sequences *sequences, const struct syn_objects *objects, const struct trace_view *trace,
                   const struct path *path);

#endif
