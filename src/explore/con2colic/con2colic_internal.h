/* SPDX-License-Identifier: MIT
 *
 * What con2colic.c (which scenario is run next) and account.c (its options, and what it says in the end) share.
 */
#ifndef HEDDLE_EXPLORE_CON2COLIC_CON2COLIC_INTERNAL_H
#define HEDDLE_EXPLORE_CON2COLIC_CON2COLIC_INTERNAL_H

#include "base/number_set.h"
#include "explore/con2colic/con2colic.h"
#include "explore/con2colic/extract.h"
#include "explore/con2colic/hazards.h"
#include "explore/con2colic/supplies.h"
#include "explore/strategy/strategy.h"

#define MOST_INTERFERENCES (UINT32_MAX - 1)

enum without { WITHOUT_UNSAT_CORES = 1, WITHOUT_DUPLICATES = 2, WITHOUT_PRIORITY = 4 };

struct con2colic_settings {
  uint32_t max_interferences;
  uint64_t max_scenarios;
  uint32_t without;              /* enum without, or-ed: what it does without, for measurements */
  bool z3_orders, checks_orders; /* orders in time by Z3; by both, compared */
};

struct con2colic {
  struct strategy_settings settings;
  struct con2colic_settings own;
  struct forest *forest;
  struct realiser *realiser;
  struct extraction extraction;
  struct scenarios scenarios;
  struct hazards hazards;
  const char *undecided; /* a hazard that is neither found nor excluded; NULL: none */
  struct supplies supplies;
  struct scenario_parts parts, longer;
  struct cause cause;
  struct number_set sides; /* of branches that runs took */
  struct values *hint;     /* of the last run */
  bool started, is_under_way, needs_start;
  bool unsolved;
  bool hidden;     /* a failure between threads ended a run before its scenario was over */
  bool was_cut;    /* a run ended before its threads did, for reasons that are reported */
  uint32_t degree; /* of the run under way */
  bool has_scenario;
  scenario_id scenario;
  uint64_t divergences;
  struct con2colic_summary *summary;
  VECTOR(uint32_t) degrees; /* by coverage byte: the lowest degree, UINT32_MAX none */
  VECTOR(uint8_t) coverage; /* bytes that these runs set */
  node_id n_counted;        /* nodes of the forest that the summary has counted */
  struct text defect;
};

static inline bool has_enough_scenarios(const struct con2colic *self) {
  return self->summary->scenarios + self->summary->hazards >= self->own.max_scenarios;
}

extern const char *const con2colic_options[];
bool con2colic_configure(void *own, const struct option_source *source, struct error *error);
void con2colic_account(const void *self, struct account *account);

#endif
