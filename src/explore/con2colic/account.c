/* SPDX-License-Identifier: MIT
 *
 * The options of con2colic testing, and what it says in the end: bounds that left something out, and figures.
 */
#include "base/error.h"
#include "explore/con2colic/con2colic_internal.h"

#include <string.h>

const char *const con2colic_options[] = {"max-k", "max-scenarios", "without", "order-solver", NULL};

/* Names with commas between them. */
static bool choose_without(const char *text, uint32_t *without, struct error *error) {
  static const char *const names[] = {"unsat-core", "duplicates", "priority", NULL};
  while (text && *text) {
    const size_t length = strcspn(text, ",");
    int i = 0;
    while (names[i] && (strlen(names[i]) != length || strncmp(names[i], text, length) != 0)) i++;
    if (!names[i]) return option_refuse("without", text, length, error);
    *without |= 1u << i;
    text += length + (text[length] == ',');
  }
  return true;
}

bool con2colic_configure(void *own, const struct option_source *source, struct error *error) {
  static const char *const solvers[] = {"own", "z3", "both", NULL};
  struct con2colic_settings *settings = own;
  int solver;
  settings->max_interferences = (uint32_t)option_number(source, "max-k", MOST_INTERFERENCES);
  settings->max_scenarios = option_number(source, "max-scenarios", NO_LIMIT);
  if (!option_choose(source, "order-solver", solvers, &solver, error)) return false;
  settings->z3_orders = solver == 1;
  settings->checks_orders = solver == 2;
  return choose_without(option_find(source, "without")->text, &settings->without, error);
}

static void account_for_bounds(const struct con2colic *self, struct account *account) {
  const uint32_t lowest = scenarios_lowest(&self->scenarios);
  const char *undecided = self->undecided ? self->undecided : self->hazards.undecided;
  const char *not_modelled = self->extraction.not_modelled;
  if (lowest != UINT32_MAX && has_enough_scenarios(self)) account_add_reason(account, REASON_SCENARIOS);
  if (lowest != UINT32_MAX && lowest > self->own.max_interferences) account_add_reason(account, REASON_INTERFERENCES);
  if (not_modelled) {
    account_add_reason(account, REASON_NOT_MODELLED);
    account_add_warning(account, "con2colic does not know how this affects other threads: %s", not_modelled);
  }
  if (undecided) {
    account_add_reason(account, REASON_UNDECIDED);
    account_add_warning(account, "con2colic could not rule this out: %s", undecided);
  }
}

static void account_for_figures(const struct con2colic *self, struct account *account) {
  const struct con2colic_summary *summary = self->summary;
  const uint32_t lowest = scenarios_lowest(&self->scenarios);
  account_add_count(account, "structure_bytes",
                    scenarios_bytes(&self->scenarios) + self->forest->nodes.capacity * sizeof(struct node));
  account_add_counts(account, "branches_by_k", summary->covered.items, summary->covered.count);
  account_add_count(account, "branch_sides", summary->branch_sides);
  account_add_count(account, "covered_sides", summary->covered_sides);
  if (summary->bug_degree != NO_DEGREE) account_add_count(account, "bug_k", summary->bug_degree);
  if (lowest != UINT32_MAX) account_add_count(account, "lowest_k_left", lowest);
  account_add_count(account, "scenarios", summary->scenarios);
  account_add_count(account, "realised", summary->realised);
  account_add_count(account, "without_order", summary->without_order);
  account_add_count(account, "without_inputs", summary->without_inputs);
  account_add_count(account, "hazards", summary->hazards);
  account_add_count(account, "scenarios_left", self->scenarios.waiting);
  account_add_count(account, "forest_nodes", forest_count(self->forest));
  account_add_count(account, "accesses", summary->accesses);
  account_add_count(account, "branches", summary->branches);
  account_add_count(account, "disagreements", self->realiser->disagreements);
  account_add_seconds(account, "order_seconds", self->realiser->order_seconds);
  account_add_seconds(account, "data_seconds", self->realiser->data_seconds);
  for (size_t i = 0; i < summary->uncovered.count; i++) vector_push(&account->uncovered, summary->uncovered.items[i]);
}

void con2colic_account(const void *memory, struct account *account) {
  account_for_bounds(memory, account);
  account_for_figures(memory, account);
}
