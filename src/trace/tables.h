/* SPDX-License-Identifier: MIT
 *
 * What abi/events.def, outcomes.def and warnings.def say, as tables to look things up in. Every function accepts any
 * number, also one that no row has: a trace is written by a process that a wild program may have damaged.
 */
#ifndef HEDDLE_TRACE_TABLES_H
#define HEDDLE_TRACE_TABLES_H

#include "model/dependence.h"

#include <stdbool.h>

enum outcome_class { OUTCOME_FINE, OUTCOME_DISCARDED, OUTCOME_IN_VAIN, OUTCOME_BOUND, OUTCOME_BUG, OUTCOME_INTERNAL };

struct event_row {
  const char *words;
  enum event_class class;
  bool visible;
  enum event_dependence dependence;
};

struct outcome_row {
  enum outcome_class class;
  const char *kind;  /* in reports and JSON; "" unless it is a bug */
  const char *words; /* how the terminal says it */
};

struct warning_row {
  const char *kind;  /* in JSON */
  const char *words; /* how the terminal begins to say it */
};

const struct event_row *event_row(uint32_t kind);
const struct outcome_row *outcome_row(uint32_t outcome);
const struct warning_row *warning_row(uint32_t kind);

static inline bool outcome_is_bug(uint32_t outcome) {
  return outcome_row(outcome)->class == OUTCOME_BUG;
}

/* Nobody could move when the run ended: no thread took from others what they could still have done. */
static inline bool outcome_is_at_rest(uint32_t outcome) {
  return outcome == OUTCOME_FINISHED || outcome == OUTCOME_EXIT || outcome == OUTCOME_DEADLOCK ||
         outcome == OUTCOME_LIVELOCK;
}

#endif
