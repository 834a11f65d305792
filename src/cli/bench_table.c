/* SPDX-License-Identifier: MIT */
#include "cli/bench_table.h"

#include "base/files.h"

#include <stdlib.h>
#include <string.h>

#define ROW_FIELDS 4 /* before the columns */
#define MAX_FIELDS (ROW_FIELDS + BENCH_MAX_COLUMNS)
#define QUICK_REPETITIONS 3
#define QUICK_SECONDS 5

/* Splits at tabs, in place. More fields than fit are an error of the file: the count is then MAX_FIELDS + 1. */
static unsigned split(char *line, char **fields) {
  unsigned count = 0;
  for (char *field; (field = strsep(&line, "\t")); count++) {
    if (count == MAX_FIELDS) return MAX_FIELDS + 1;
    fields[count] = field;
  }
  return count;
}

/* A strategy, or a strategy, a space and a measure. */
static struct bench_column read_column(char *field) {
  const char *strategy = strsep(&field, " ");
  return (struct bench_column){strategy, field};
}

static bool read_columns(struct bench_table *table, char **fields, unsigned count) {
  table->n_columns = count - 1;
  if (table->n_columns == 0 || table->n_columns > BENCH_MAX_COLUMNS) return false;
  for (unsigned i = 0; i < table->n_columns; i++) table->columns[i] = read_column(fields[i + 1]);
  return true;
}

static bool read_row(struct bench_table *table, char **fields, unsigned count) {
  if (table->n_columns == 0 || count != ROW_FIELDS + table->n_columns) return false;
  struct bench_row row = {.name = fields[0], .program = fields[1], .flags = fields[2], .traces = fields[3]};
  memcpy(row.papers, fields + ROW_FIELDS, table->n_columns * sizeof *fields);
  vector_push(&table->rows, row);
  return true;
}

static bool read_fields(struct bench_table *table, char **fields, unsigned count) {
  if (count < 2 || count > MAX_FIELDS) return false;
  const char *word = fields[0];
  if (strcmp(word, "columns") == 0) return read_columns(table, fields, count);
  if (strcmp(word, "repetitions") == 0)
    table->repetitions = strtoull(fields[1], NULL, 10);
  else if (strcmp(word, "max-runs") == 0)
    table->max_runs = strtoull(fields[1], NULL, 10);
  else if (strcmp(word, "max-seconds") == 0)
    table->max_seconds = strtod(fields[1], NULL);
  else if (strcmp(word, "quick-repetitions") == 0)
    table->quick_repetitions = strtoull(fields[1], NULL, 10);
  else if (strcmp(word, "quick-seconds") == 0)
    table->quick_seconds = strtod(fields[1], NULL);
  else if (strcmp(word, "quick-cell-seconds") == 0)
    table->quick_cell_seconds = strtod(fields[1], NULL);
  else
    return read_row(table, fields, count);
  return true;
}

static bool read_line(struct bench_file *file, char *line) {
  const size_t length = strlen(line);
  char *fields[MAX_FIELDS];
  if (length == 0 || line[0] == '#') return true;
  if (line[0] == '[' && line[length - 1] == ']') {
    line[length - 1] = 0;
    vector_push(&file->tables,
                ((struct bench_table){
                    .title = line + 1, .quick_repetitions = QUICK_REPETITIONS, .quick_seconds = QUICK_SECONDS}));
    return true;
  }
  if (file->tables.count == 0) return false;
  return read_fields(&file->tables.items[file->tables.count - 1], fields, split(line, fields));
}

bool bench_file_read(struct bench_file *file, const char *path, struct error *error) {
  struct text text = {0};
  *file = (struct bench_file){0};
  if (!files_read(path, &text, error)) return false;
  file->contents = text.string;
  unsigned number = 0;
  for (char *rest = text.string, *line; (line = strsep(&rest, "\n"));) {
    number++;
    if (read_line(file, line)) continue;
    bench_file_free(file);
    return error_set(error, "%s:%u: this is not a row of a table", path, number);
  }
  return true;
}

void bench_file_free(struct bench_file *file) {
  for (size_t i = 0; i < file->tables.count; i++) vector_free(&file->tables.items[i].rows);
  vector_free(&file->tables);
  free(file->contents);
  file->contents = NULL;
}
