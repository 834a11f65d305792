/* SPDX-License-Identifier: MIT
 *
 * What deadlocks look like from outside: the places where threads wait, as findings are told apart. Also which of them
 * runs have shown, and for which a run has been requested.
 */
#ifndef HEDDLE_EXPLORE_UNFOLDING_VERDICTS_H
#define HEDDLE_EXPLORE_UNFOLDING_VERDICTS_H

#include "explore/unfolding/net.h"
#include "trace/trace.h"

/* Places, ascending, each once. */
typedef VECTOR(uint64_t) look;

struct verdict {
  uint32_t first, n;
  bool is_part; /* asked for: other threads may come to wait besides */
};

struct verdicts {
  VECTOR(uint64_t) places;
  VECTOR(struct verdict) list;
};

void verdicts_free(struct verdicts *self);

void look_add(look *look, site_id site, uint8_t kind);
void look_of_run(look *look, const struct trace_view *trace);

void verdicts_add(struct verdicts *self, const look *look, bool is_part);
/* Has the deadlock been shown, or asked for? */
bool verdicts_have(const struct verdicts *self, const look *look);
/* The same for one in which these threads wait, and perhaps others. */
bool verdicts_have_part(const struct verdicts *self, const look *look);

#endif
