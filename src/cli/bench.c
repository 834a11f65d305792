/* SPDX-License-Identifier: MIT
 *
 * heddle bench: tables of measurements beside what papers report. A table is a file bench/tables/NAME.tsv; its programs
 * are bench/programs. Both lie beside the executable, or in lib/heddle of an installation.
 *
 * Every cell is the mean over some seeds of what an exploration takes until nothing is left: the number of runs, or
 * another measure. An exploration that reaches a limit is not repeated, and stands as ">N". What several cells show of
 * the same explorations is measured once. The result is printed row by row, and written as Markdown.
 */
#include "base/files.h"
#include "cli/bench_measure.h"
#include "cli/bench_table.h"
#include "cli/build.h"
#include "cli/commands.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SUFFIX ".tsv"
#define RESULTS "docs/results"

/* Explorations that were made. The strings belong to the table's file. */
struct measured {
  const char *program, *flags;
  const struct strategy *strategy;
  struct bench_limits limits;
  struct bench_cell cell;
};

struct bench {
  const char *name, *output, *only;
  uint64_t repetitions, max_runs; /* 0: not given */
  double max_seconds;             /* < 0: not given */
  bool full;
  struct text text; /* the result so far */
  VECTOR(struct measured) measured;
};

static volatile sig_atomic_t interrupted;

static void interrupt(int signal) {
  interrupted = 1;
}

static int complain(const struct error *error) {
  fprintf(stderr, "heddle: %s\n", error->message);
  return 2;
}

/* --- the tables there are --- */

static int is_table(const struct dirent *entry) {
  const size_t length = strlen(entry->d_name), suffix = strlen(SUFFIX);
  return length > suffix && strcmp(entry->d_name + length - suffix, SUFFIX) == 0;
}

/* The first line of a file says what it is. */
static void print_table_name(const char *directory, const char *name) {
  char *path = files_join(directory, name);
  struct text text = {0};
  struct error error = {0};
  if (files_read(path, &text, &error)) {
    const char *line = text_string(&text) + strspn(text_string(&text), "# ");
    printf("  %-20.*s %.*s\n", (int)(strlen(name) - strlen(SUFFIX)), name, (int)strcspn(line, "\n"), line);
  }
  text_free(&text);
  free(path);
}

static int list_tables(void) {
  char *directory = files_of_heddle("bench/tables");
  struct dirent **entries;
  const int count = scandir(directory, &entries, is_table, alphasort);
  if (count < 0) fprintf(stderr, "heddle: no tables in %s\n", directory);
  for (int i = 0; i < count; i++) {
    print_table_name(directory, entries[i]->d_name);
    free(entries[i]);
  }
  if (count >= 0) free(entries);
  free(directory);
  return count < 0 ? 2 : 0;
}

/* --- options --- */

static int print_help(void) {
  puts("heddle bench                     list the tables\n"
       "heddle bench NAME [options]      measure one; a cell shows our figure (the paper's)\n\n"
       "  --seeds N       repetitions of every exploration [what the table says: usually 3]\n"
       "  --max-runs N    stop an exploration after N runs [the paper's limit]\n"
       "  --max-time S    stop an exploration after S seconds [what the table says: usually 5]\n"
       "  --full          the paper's repetitions and times: takes hours\n"
       "  --only TEXT     only rows whose name contains TEXT\n"
       "  -o FILE         write the table to FILE [" RESULTS "/NAME.md where that folder exists, otherwise NAME.md]");
  return 0;
}

static bool parse_number(const char *option, const char *text, double *number, struct error *error) {
  char *end;
  *number = strtod(text, &end);
  if (end != text && *end == 0 && *number > 0 && *number < 1e15) return true;
  return error_set(error, "%s takes a number above 0, not '%s'", option, text);
}

static bool parse_value(struct bench *bench, const char *option, const char *text, struct error *error) {
  double number = 0;
  if (strcmp(option, "-o") == 0) return bench->output = text, true;
  if (strcmp(option, "--only") == 0) return bench->only = text, true;
  if (strcmp(option, "--seeds") != 0 && strcmp(option, "--max-runs") != 0 && strcmp(option, "--max-time") != 0)
    return error_set(error, "unknown option %s: see 'heddle bench --help'", option);
  if (!parse_number(option, text, &number, error)) return false;
  if (strcmp(option, "--seeds") == 0) bench->repetitions = (uint64_t)ceil(number);
  if (strcmp(option, "--max-runs") == 0) bench->max_runs = (uint64_t)ceil(number);
  if (strcmp(option, "--max-time") == 0) bench->max_seconds = number;
  return true;
}

static bool parse(struct bench *bench, int argc, char **argv, struct error *error) {
  *bench = (struct bench){.max_seconds = -1};
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--full") == 0)
      bench->full = true;
    else if (argv[i][0] != '-' && !bench->name)
      bench->name = argv[i];
    else if (argv[i][0] != '-')
      return error_set(error, "give one table at a time: %s is a second one", argv[i]);
    else if (i + 1 == argc)
      return error_set(error, "%s is unknown or needs a value: see 'heddle bench --help'", argv[i]);
    else if (!parse_value(bench, argv[i], argv[i + 1], error))
      return false;
    else
      i++;
  }
  return true;
}

static struct bench_limits limits_for(const struct bench *bench, const struct bench_table *table) {
  struct bench_limits limits = {.repetitions = table->repetitions,
                                .max_runs = table->max_runs,
                                .max_seconds = table->max_seconds,
                                .interrupted = &interrupted};
  if (!bench->full) {
    if (limits.repetitions > table->quick_repetitions) limits.repetitions = table->quick_repetitions;
    limits.max_seconds = table->quick_seconds;
    limits.cell_seconds = table->quick_cell_seconds;
  }
  if (bench->repetitions) limits.repetitions = bench->repetitions;
  if (bench->max_runs) limits.max_runs = bench->max_runs;
  if (bench->max_seconds >= 0) limits.max_seconds = bench->max_seconds;
  if (limits.max_runs == 0) limits.max_runs = NO_LIMIT;
  return limits;
}

/* --- the result --- */

/* Prints what was added to the result since `from`. */
static void show(const struct bench *bench, size_t from) {
  fputs(text_string(&bench->text) + from, stdout);
  fflush(stdout);
}

static bool shows_runs_and_seconds(const struct bench_table *table) {
  for (unsigned i = 0; i < table->n_columns; i++)
    if (!table->columns[i].measure) return true;
  return false;
}

static void append_limits(struct text *text, const struct bench_table *table, const struct bench_limits *limits) {
  text_append_format(text, "Mean of %llu seed%s", (unsigned long long)limits->repetitions,
                     limits->repetitions == 1 ? "" : "s");
  if (limits->cell_seconds > 0)
    text_append_format(text, ", of fewer where these take %g seconds", limits->cell_seconds);
  if (limits->max_runs != NO_LIMIT)
    text_append_format(text, "; at most %llu runs", (unsigned long long)limits->max_runs);
  if (limits->max_seconds > 0) text_append_format(text, "; at most %g seconds", limits->max_seconds);
  text_append_format(text, ". A cell is: %s.\n\n",
                     shows_runs_and_seconds(table) ? "runs, seconds (runs in the paper)" : "ours (the paper's)");
}

static void append_column(struct text *text, const struct bench_column *column) {
  text_append_format(text, column->measure ? " %s: %s |" : " %s |", column->strategy, column->measure);
}

static void append_head(struct bench *bench, const struct bench_table *table, const struct bench_limits *limits) {
  const size_t from = bench->text.length;
  text_append_format(&bench->text, "\n## %s\n\n", table->title);
  append_limits(&bench->text, table, limits);
  text_append(&bench->text, "| program | flags | traces |");
  for (unsigned i = 0; i < table->n_columns; i++) append_column(&bench->text, &table->columns[i]);
  text_append(&bench->text, "\n|---|---|---:|");
  for (unsigned i = 0; i < table->n_columns; i++) text_append(&bench->text, "---:|");
  text_append(&bench->text, "\n");
  show(bench, from);
}

static const struct {
  const char *word;
  int decimals;
} measures[] = {
#define MEASURE(name, word, decimals, value) [BENCH_##name] = {word, decimals},
#include "cli/bench_measures.def"
#undef MEASURE
    [BENCH_MEASURES] = {"", 0},
#define TEXT_MEASURE(name, word, function) [BENCH_##name] = {word, 0},
#include "cli/bench_measures.def"
#undef TEXT_MEASURE
};

/* BENCH_MEASURES: there is none. */
static enum bench_measure find_measure(const char *word) {
  enum bench_measure measure = 0;
  while (measure < BENCH_ALL_MEASURES && strcmp(measures[measure].word, word) != 0) measure++;
  return measure < BENCH_ALL_MEASURES ? measure : BENCH_MEASURES;
}

/* What takes time or space grew until the limit, too: it stands as a lower bound like the number of runs. */
static void append_value(struct text *text, const struct bench_cell *cell, enum bench_measure measure) {
  if (measure > BENCH_MEASURES) {
    text_append_format(text, " %s", cell->texts[measure - BENCH_MEASURES - 1]);
    return;
  }
  const double value = cell->values[measure];
  if (value < 0) {
    text_append(text, " none");
    return;
  }
  const int decimals = measures[measure].decimals;
  const bool whole = value == floor(value) || decimals > 0;
  text_append_format(text, cell->complete ? " %.*f" : " >%.*f", whole ? decimals : 1, value);
}

static void append_cell(struct text *text, const struct bench_cell *cell, const char *measure, const char *paper) {
  append_value(text, cell, measure ? find_measure(measure) : BENCH_RUNS);
  if (!measure) text_append_format(text, ", %.2f s", cell->values[BENCH_SECONDS]);
  text_append_format(text, strcmp(paper, "-") == 0 ? " |" : " (%s) |", paper);
}

static bool same_limits(const struct bench_limits *a, const struct bench_limits *b) {
  return a->repetitions == b->repetitions && a->cell_seconds == b->cell_seconds && a->max_runs == b->max_runs &&
         a->max_seconds == b->max_seconds;
}

static const struct bench_cell *find_measured(const struct bench *bench, const struct measured *wanted) {
  for (size_t i = 0; i < bench->measured.count; i++) {
    const struct measured *measured = &bench->measured.items[i];
    if (measured->strategy == wanted->strategy && same_limits(&measured->limits, &wanted->limits) &&
        strcmp(measured->program, wanted->program) == 0 && strcmp(measured->flags, wanted->flags) == 0)
      return &measured->cell;
  }
  return NULL;
}

/* The words of a row's flags that are options of `heddle run`, as opposed to those of the compiler. */
static bool is_run_option(const char *word) {
  return strncmp(word, "--", 2) == 0;
}

static bool explore_row(struct bench_cell *cell, const struct measured *wanted, const char *executable,
                        struct error *error) {
  struct bench_task task = {.executable = executable, .strategy = wanted->strategy};
  char *flags = memory_copy_string(wanted->flags);
  for (char *rest = flags, *word; (word = strsep(&rest, " "));)
    if (is_run_option(word) && task.n_options < BENCH_MAX_OPTIONS) task.options[task.n_options++] = word;
  const bool good = bench_measure(cell, &task, &wanted->limits, error);
  free(flags);
  return good;
}

static bool measure(struct bench *bench, struct bench_cell *cell, const struct measured *wanted, const char *executable,
                    struct error *error) {
  const struct bench_cell *known = find_measured(bench, wanted);
  if (known) return *cell = *known, true;
  if (!explore_row(cell, wanted, executable, error)) return false;
  struct measured measured = *wanted;
  measured.cell = *cell;
  vector_push(&bench->measured, measured);
  return true;
}

static bool measure_cell(struct bench *bench, const struct bench_limits *limits, const struct bench_row *row,
                         const char *executable, const struct bench_column *column, const char *paper,
                         struct error *error) {
  const struct measured wanted = {row->program, row->flags, strategy_find(column->strategy), *limits, {0}};
  struct bench_cell cell;
  if (!wanted.strategy) return text_append(&bench->text, " no such strategy |"), true;
  if (!measure(bench, &cell, &wanted, executable, error)) return false;
  append_cell(&bench->text, &cell, column->measure, paper);
  return true;
}

static bool measure_row(struct bench *bench, const struct bench_table *table, const struct bench_row *row,
                        const char *executable, struct error *error) {
  const struct bench_limits limits = limits_for(bench, table);
  size_t from = bench->text.length;
  text_append_format(&bench->text, row->flags[0] ? "| %s | `%s` | %s |" : "| %s | %s | %s |", row->name, row->flags,
                     row->traces);
  for (unsigned i = 0; i < table->n_columns && !interrupted; i++) {
    if (!measure_cell(bench, &limits, row, executable, &table->columns[i], row->papers[i], error)) return false;
    show(bench, from);
    from = bench->text.length;
  }
  text_append(&bench->text, "\n");
  show(bench, from);
  return true;
}

/* --- programs --- */

static bool build_row(struct build *build, const struct bench_row *row, struct error *error) {
  struct text name = {0};
  text_append_format(&name, "bench/programs/%s.c", row->program);
  char *source = files_of_heddle(text_string(&name)), *flags = memory_copy_string(row->flags);
  struct options options = {0};
  for (char *rest = flags, *flag; (flag = strsep(&rest, " "));)
    if (*flag && !is_run_option(flag)) vector_push(&options.compile, flag);
  vector_push(&options.compile, source);
  vector_push(&options.files, source);
  vector_push(&options.compile, "--heddle-follow"); /* for every strategy */
  const bool built = build_program(build, &options, error);
  options_free(&options);
  text_free(&name);
  free(source);
  free(flags);
  return built;
}

static bool run_row(struct bench *bench, const struct bench_table *table, const struct bench_row *row,
                    struct error *error) {
  struct build build;
  if (interrupted || (bench->only && !strstr(row->name, bench->only))) return true;
  if (!build_row(&build, row, error)) return false;
  const bool measured = measure_row(bench, table, row, build.executable, error);
  build_free(&build);
  return measured;
}

static bool check_columns(const struct bench_table *table, struct error *error) {
  for (unsigned i = 0; i < table->n_columns; i++)
    if (table->columns[i].measure && find_measure(table->columns[i].measure) == BENCH_MEASURES)
      return error_set(error, "the table has no row whose name contains '%s'", table->columns[i].measure);
  return true;
}

static bool run_table(struct bench *bench, const struct bench_table *table, struct error *error) {
  const struct bench_limits limits = limits_for(bench, table);
  if (!check_columns(table, error)) return false;
  append_head(bench, table, &limits);
  for (size_t i = 0; i < table->rows.count; i++)
    if (!run_row(bench, table, &table->rows.items[i], error)) return false;
  return true;
}

/* --- the command --- */

static char *output_path(const struct bench *bench) {
  struct text path = {0};
  if (bench->output)
    text_append(&path, bench->output);
  else
    text_append_format(&path, "%s%s.md", files_exists(RESULTS) ? RESULTS "/" : "", bench->name);
  return path.string;
}

static bool run_file(struct bench *bench, const struct bench_file *file, const char *output, struct error *error) {
  if (!files_can_write(output, error)) return false;
  text_append_format(&bench->text, "# heddle bench %s%s\n", bench->name, bench->full ? " --full" : "");
  show(bench, 0);
  for (size_t i = 0; i < file->tables.count && !interrupted; i++)
    if (!run_table(bench, &file->tables.items[i], error)) return false;
  if (interrupted) return error_set(error, "interrupted: nothing was written");
  if (!files_write(output, bench->text.string, bench->text.length, error)) return false;
  printf("\nwritten to %s\n", output);
  return true;
}

static bool run_named(struct bench *bench, struct error *error) {
  struct text name = {0};
  struct bench_file file;
  text_append_format(&name, "bench/tables/%s" SUFFIX, bench->name);
  char *path = files_of_heddle(text_string(&name)), *output = output_path(bench);
  bool good = files_exists(path) || error_set(error, "there is no table %s: 'heddle bench' lists them", bench->name);
  good = good && bench_file_read(&file, path, error);
  if (good) {
    good = run_file(bench, &file, output, error);
    bench_file_free(&file);
  }
  text_free(&name);
  free(path);
  free(output);
  return good;
}

int bench_main(int argc, char **argv) {
  struct bench bench;
  struct error error = {0};
  if (argc < 2) return list_tables();
  if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) return print_help();
  if (!parse(&bench, argc, argv, &error)) return complain(&error);
  if (!bench.name) return error_set(&error, "which table? 'heddle bench' lists them"), complain(&error);
  sigaction(SIGINT, &(struct sigaction){.sa_handler = interrupt, .sa_flags = (int)SA_RESETHAND}, NULL);
  const bool good = run_named(&bench, &error);
  text_free(&bench.text);
  vector_free(&bench.measured);
  return good ? 0 : complain(&error);
}
