/* SPDX-License-Identifier: MIT */
#include "explore/strategy/strategy.h"

#include <string.h>

static const struct strategy *const strategies[] = {
#define STRATEGY(name) &strategy_##name,
#include "explore/strategy/strategies.def"
#undef STRATEGY
};

const struct strategy *strategy_at(unsigned i) {
  return i < sizeof strategies / sizeof *strategies ? strategies[i] : NULL;
}

const struct strategy *strategy_find(const char *name) {
  for (unsigned i = 0; strategy_at(i); i++)
    if (strcmp(strategy_at(i)->name, name) == 0) return strategy_at(i);
  return NULL;
}

double strategy_part_done(const struct strategy *strategy, const void *self) {
  return self && strategy->part_done ? strategy->part_done(self) : 0;
}

bool strategy_takes(const struct strategy *strategy, const char *option) {
  for (const char *const *name = strategy->options; name && *name; name++)
    if (strcmp(*name, option) == 0) return true;
  return false;
}

void target_add_values(struct target *target, struct inputs *inputs, struct values *values) {
  if (values) inputs_append_values(inputs, values, &target->inputs);
  values_release(values);
}

void target_go_on(struct target *target, uint64_t seed, void *cookie) {
  target->plan.policy = POLICY_CONTINUE;
  target->plan.seed = seed;
  target->plan.runs = 1;
  target->cookie = cookie;
}
