/* SPDX-License-Identifier: MIT
 *
 * One cell of a table: a program explored by one strategy, with several seeds.
 */
#ifndef HEDDLE_CLI_BENCH_MEASURE_H
#define HEDDLE_CLI_BENCH_MEASURE_H

#include "explore/strategy.h"

#include "base/error.h"

#include <signal.h>

struct bench_limits {
  uint64_t repetitions; /* seeds 1, 2, ... */
  uint64_t max_runs;    /* of one exploration; NO_LIMIT: none */
  double max_seconds;   /* likewise; 0: none */
  const volatile sig_atomic_t *interrupted;
};

enum bench_measure {
#define MEASURE(name, ...) BENCH_##name,
#include "cli/bench_measures.def"
#undef MEASURE
  BENCH_MEASURES
};

/* Means over the repetitions. When one is not completed, it is the only one that counts. */
struct bench_cell {
  double values[BENCH_MEASURES];
  bool complete;
};

/* False: the program cannot be run. */
bool bench_measure(struct bench_cell *cell, const char *executable, const struct strategy *strategy,
                   const struct bench_limits *limits, struct error *error);

#endif
