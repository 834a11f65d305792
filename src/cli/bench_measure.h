/* SPDX-License-Identifier: MIT
 *
 * One cell of a table: a program explored by one strategy, with several seeds.
 */
#ifndef HEDDLE_CLI_BENCH_MEASURE_H
#define HEDDLE_CLI_BENCH_MEASURE_H

#include "explore/strategy/strategy.h"

#include "base/error.h"

#include <signal.h>

struct bench_limits {
  uint64_t repetitions; /* seeds 1, 2, ... */
  double cell_seconds;  /* no more of them after so long; 0: none */
  uint64_t max_runs;    /* of one exploration; NO_LIMIT: none */
  double max_seconds;   /* likewise; 0: none */
  const volatile sig_atomic_t *interrupted;
};

#define BENCH_TEXT_BYTES 80
#define BENCH_MAX_OPTIONS 16

/* Numbers, then BENCH_MEASURES, then texts. */
enum bench_measure {
#define MEASURE(name, ...) BENCH_##name,
#include "cli/bench_measures.def"
#undef MEASURE
  BENCH_MEASURES,
#define TEXT_MEASURE(name, ...) BENCH_##name,
#include "cli/bench_measures.def"
#undef TEXT_MEASURE
  BENCH_ALL_MEASURES
};

/* Means over the repetitions; texts are of the first. When one is not completed, it is the only one that counts. */
struct bench_cell {
  double values[BENCH_MEASURES];
  char texts[BENCH_ALL_MEASURES - BENCH_MEASURES][BENCH_TEXT_BYTES];
  double started_at, bug_at; /* of one exploration; bug_at < 0: no bug was found */
  bool complete;
};

/* An executable, and options of `heddle run`. */
struct bench_task {
  const char *executable;
  const struct strategy *strategy;
  char *options[BENCH_MAX_OPTIONS];
  unsigned n_options;
};

/* False: the program cannot be run. */
bool bench_measure(struct bench_cell *cell, const struct bench_task *task, const struct bench_limits *limits,
                   struct error *error);

#endif
