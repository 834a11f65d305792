/* SPDX-License-Identifier: MIT
 *
 * What a strategy has to say at the end beyond what all of them say (struct strategy_stats): why something was left
 * out, warnings, and figures by name. Whoever reports knows the names it wants to show.
 */
#ifndef HEDDLE_EXPLORE_STRATEGY_ACCOUNT_H
#define HEDDLE_EXPLORE_STRATEGY_ACCOUNT_H

#include "abi/sites.h"
#include "base/memory.h"
#include "base/text.h"

#include <stdbool.h>

enum reason {
  REASON_NONE, /* complete */
#define REASON(name, what) REASON_##name,
#include "explore/strategy/reasons.def"
#undef REASON
};

/* How many there are. */
enum {
  REASONS = 1
#define REASON(name, what) +1
#include "explore/strategy/reasons.def"
#undef REASON
};

/* A number, seconds, or a list of numbers. */
struct figure {
  const char *name; /* a constant */
  uint64_t count;
  double seconds;
  const uint64_t *counts; /* n_counts; they belong to the strategy */
  size_t n_counts;
};

/* A side of a branch that no run took, and why, as far as that is known. The words belong to the strategy. */
struct uncovered_side {
  site_id site;
  bool side;
  const char *because;
};

struct account {
  VECTOR(enum reason) reasons; /* the most telling first */
  VECTOR(char *) warnings;
  VECTOR(struct figure) figures;
  VECTOR(struct uncovered_side) uncovered;
};

void account_free(struct account *account);
void account_add_reason(struct account *account, enum reason reason);
void account_add_warning(struct account *account, const char *format, ...) __attribute__((format(printf, 2, 3)));
void account_add_count(struct account *account, const char *name, uint64_t count);
void account_add_seconds(struct account *account, const char *name, double seconds);
void account_add_counts(struct account *account, const char *name, const uint64_t *counts, size_t n_counts);

/* NULL: the strategy has not said it. */
const struct figure *account_figure(const struct account *account, const char *name);
/* 0: the strategy has not said it. */
uint64_t account_count(const struct account *account, const char *name);
double account_seconds(const struct account *account, const char *name);

#endif
