/* SPDX-License-Identifier: MIT
 *
 * The tables of `heddle bench`: files bench/tables/NAME.tsv, which say what to run and what a paper reports for it.
 * A file has several tables; how it is written is said at the head of dpor.tsv.
 */
#ifndef HEDDLE_CLI_BENCH_TABLE_H
#define HEDDLE_CLI_BENCH_TABLE_H

#include "base/error.h"
#include "base/memory.h"

#include <stdint.h>

#define BENCH_MAX_COLUMNS 20

struct bench_column {
  const char *strategy;
  const char *measure; /* of bench_measures.def; NULL: runs and seconds */
};

struct bench_row {
  const char *name, *program, *flags;
  const char *traces;                    /* "-": not known beforehand */
  const char *papers[BENCH_MAX_COLUMNS]; /* "-": the paper has none */
};

struct bench_table {
  const char *title;
  uint64_t repetitions, max_runs; /* of the paper; max_runs 0: no limit */
  double max_seconds;             /* 0: no limit */
  uint64_t quick_repetitions;     /* without --full */
  double quick_seconds;
  double quick_cell_seconds; /* a cell is repeated no more after so long; 0: no limit */
  struct bench_column columns[BENCH_MAX_COLUMNS];
  unsigned n_columns;
  VECTOR(struct bench_row) rows;
};

/* The strings point into `contents`. */
struct bench_file {
  char *contents;
  VECTOR(struct bench_table) tables;
};

bool bench_file_read(struct bench_file *file, const char *path, struct error *error);
void bench_file_free(struct bench_file *file);

#endif
