/* SPDX-License-Identifier: MIT
 *
 * Explorations go past bugs and do not minimise them: the runs of the strategy are what counts.
 */
#include "cli/bench_measure.h"

#include "cli/options.h"
#include "explore/explore.h"

static void note_end(void *self, const struct summary *summary) {
  struct bench_cell *cell = self;
  *cell = (struct bench_cell){.values = {
#define MEASURE(name, word, decimals, value) [BENCH_##name] = (double)(value),
#include "cli/bench_measures.def"
#undef MEASURE
                              }};
}

/* What `heddle run` does without options, but for the limits. */
static struct explore_settings make_settings(const struct strategy *strategy, uint64_t seed,
                                             const struct bench_limits *limits) {
  struct options options;
  struct error error = {0};
  BUG_ON(!options_parse(&options, 1, (char *[]){"run", NULL}, &error));
  const struct option_value *values = options.values;
  const struct explore_settings settings = {
      .executor = {.max_events = (uint32_t)values[OPTION_MAX_EVENTS].number,
                   .max_memory_mb = (uint32_t)values[OPTION_MAX_MEMORY].number,
                   .max_terms = (uint32_t)values[OPTION_MAX_TERMS].number,
                   .hang_seconds = (uint32_t)values[OPTION_HANG_TIME].number,
                   .output = -1},
      .strategy = strategy,
      .seed = seed,
      .max_runs = limits->max_runs,
      .max_seconds = limits->max_seconds,
      .max_preemptions = NO_LIMIT,
      .depth = (uint32_t)values[OPTION_DEPTH].number,
      .solver_timeout_milliseconds = (uint32_t)values[OPTION_SOLVER_TIMEOUT].number,
      .max_address_targets = (uint32_t)values[OPTION_MAX_ADDRESS_TARGETS].number,
      .keep_going = true,
      .interrupted = limits->interrupted,
  };
  options_free(&options);
  return settings;
}

static bool measure_once(struct bench_cell *cell, const char *executable, const struct strategy *strategy,
                         uint64_t seed, const struct bench_limits *limits, struct error *error) {
  const char *const arguments[] = {executable, NULL};
  struct explore_settings settings = make_settings(strategy, seed, limits);
  const struct observer observer = {.self = cell, .end = note_end};
  struct explore_result result = {0};
  settings.executor.executable = executable;
  settings.executor.arguments = arguments;
  if (!explore(&settings, &observer, 1, &result, error)) return false;
  cell->complete = result.complete;
  return true;
}

static void add(struct bench_cell *sum, const struct bench_cell *cell, double weight) {
  for (int i = 0; i < BENCH_MEASURES; i++) sum->values[i] += cell->values[i] * weight;
}

bool bench_measure(struct bench_cell *cell, const char *executable, const struct strategy *strategy,
                   const struct bench_limits *limits, struct error *error) {
  *cell = (struct bench_cell){.complete = true};
  for (uint64_t seed = 1; seed <= limits->repetitions; seed++) {
    struct bench_cell once;
    if (!measure_once(&once, executable, strategy, seed, limits, error)) return false;
    if (!once.complete) {
      *cell = once;
      return true;
    }
    add(cell, &once, 1 / (double)limits->repetitions);
  }
  return true;
}
