/* SPDX-License-Identifier: MIT
 *
 * tally: counts the lines of a log by severity, with several threads.
 *
 * usage: tally [-w WORKERS] FILE
 */
#define _POSIX_C_SOURCE 200809L
#include "failure.h"
#include "parser.h"
#include "pool.h"
#include "totals.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LINE_BYTES 256

static void count_line(void *line) {
  totals_count(parser_severity(line));
  free(line);
}

static long submit_lines(FILE *file, struct pool *pool) {
  char line[LINE_BYTES];
  long n_lines = 0;
  for (; fgets(line, sizeof line, file); n_lines++) {
    char *copy = strdup(line);
    if (!copy) fail("no memory", ENOMEM);
    pool_submit(pool, count_line, copy);
  }
  return n_lines;
}

static void report(long n_lines) {
  printf("%ld lines\n", n_lines);
  for (int i = 0; i < N_SEVERITIES; i++)
    if (totals_of((enum severity)i)) printf("%s %ld\n", severity_name((enum severity)i), totals_of((enum severity)i));
}

int main(int argc, char **argv) {
  int n_workers = 2;
  for (int option; (option = getopt(argc, argv, "w:")) != -1;)
    if (option != 'w' || (n_workers = atoi(optarg)) < 1) return 2;
  if (optind + 1 != argc) return 2;

  failure_set_activity("reading");
  FILE *file = fopen(argv[optind], "r");
  if (!file) fail(argv[optind], errno);
  totals_initialise();
  struct pool *pool = pool_create(n_workers);
  const long n_lines = submit_lines(file, pool);
  fclose(file);
  pool_drain(pool);
  pool_destroy(pool);
  report(n_lines);
  return 0;
}
