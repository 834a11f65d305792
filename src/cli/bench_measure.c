/* SPDX-License-Identifier: MIT
 *
 * Explorations go past bugs and do not minimise them: the runs of the strategy are what counts.
 */
#include "cli/bench_measure.h"
#include "base/deadline.h"

#include "cli/settings.h"
#include "program/program.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_OPTIONS BENCH_MAX_OPTIONS

static void note_bug(void *self, const struct finding *finding) {
  struct bench_cell *cell = self;
  if (cell->bug_at < 0) cell->bug_at = clock_seconds();
}

static double bug_seconds(const struct bench_cell *cell) {
  return cell->bug_at < 0 ? -1 : cell->bug_at - cell->started_at;
}

/* --- measures of bench_measures.def that are more than a field --- */

/* Of the whole time, in percent. */
static double z3_share(const struct summary *summary) {
  double seconds = 0;
  for (size_t i = 0; summary->solver && i < summary->solver->n_stages; i++)
    if (strcmp(summary->solver->stages[i].name, "z3") == 0) seconds += summary->solver->stages[i].seconds;
  return summary->seconds > 0 ? 100 * seconds / summary->seconds : 0;
}

static double per_second(double count, const struct summary *summary) {
  return summary->seconds > 0 ? count / summary->seconds : 0;
}

static double scenarios_of(const struct summary *summary) {
  return (double)account_count(summary->account, "scenarios");
}

/* "14/8/2": sides of branches covered with 0, 1, 2 interferences, and not with fewer. */
static void branches_by_degree(const struct summary *summary, struct text *text) {
  const struct figure *covered = account_figure(summary->account, "branches_by_k");
  for (size_t k = 0; covered && k < covered->n_counts; k++)
    text_append_format(text, k > 0 ? "/%llu" : "%llu", (unsigned long long)covered->counts[k]);
}

static void branches_in_all(const struct summary *summary, struct text *text) {
  const struct figure *sides = account_figure(summary->account, "branch_sides");
  if (sides) text_append_format(text, "%llu", (unsigned long long)sides->count);
}

static void degree_of_bug(const struct summary *summary, struct text *text) {
  const struct figure *bug = account_figure(summary->account, "bug_k");
  if (bug)
    text_append_format(text, "%llu", (unsigned long long)bug->count);
  else
    text_append(text, "none");
}

static void degrees_done(const struct summary *summary, struct text *text) {
  const struct figure *sides = account_figure(summary->account, "branch_sides");
  const struct figure *lowest = account_figure(summary->account, "lowest_k_left");
  if (!sides) return;
  if (account_count(summary->account, "covered_sides") == sides->count)
    text_append(text, "full");
  else if (!lowest)
    text_append(text, summary->complete ? "maximum" : "nothing left");
  else
    text_append_format(text, "k < %llu done", (unsigned long long)lowest->count);
}

static void note_texts(struct bench_cell *cell, const struct summary *summary) {
  struct text text = {0};
#define TEXT_MEASURE(name, word, function)                                                                             \
  text_clear(&text);                                                                                                   \
  function(summary, &text);                                                                                            \
  snprintf(cell->texts[BENCH_##name - BENCH_MEASURES - 1], BENCH_TEXT_BYTES, "%s", text_string(&text));
#include "cli/bench_measures.def"
#undef TEXT_MEASURE
  text_free(&text);
}

static void note_end(void *self, const struct summary *summary) {
  struct bench_cell *cell = self;
#define MEASURE(name, word, decimals, value) cell->values[BENCH_##name] = (double)(value);
#include "cli/bench_measures.def"
#undef MEASURE
  note_texts(cell, summary);
}

/* What `heddle run` does with the options of the row, but for the limits. The words of the options belong to
 * `options`. */
static bool make_settings(struct explore_settings *settings, struct options *options, const struct bench_task *task,
                          uint64_t seed, const struct bench_limits *limits, struct error *error) {
  char *words[MAX_OPTIONS + 2] = {"run"};
  for (unsigned i = 0; i < task->n_options; i++) words[i + 1] = task->options[i];
  if (!options_parse(options, (int)task->n_options + 1, words, error)) return false;
  if (!settings_make(settings, options, task->strategy, error)) return false;
  settings->seed = seed;
  settings->max_runs = limits->max_runs;
  settings->max_seconds = limits->max_seconds;
  settings->keep_going = true;
  settings->ends_search = 0;
  settings->minimise_runs = 0;
  settings->interrupted = limits->interrupted;
  return true;
}

static bool explore_once(struct bench_cell *cell, const struct bench_task *task, struct explore_settings *settings,
                         struct error *error) {
  const char *const arguments[] = {task->executable, NULL};
  const struct observer observer = {.self = cell, .bug = note_bug, .end = note_end};
  struct explore_result result = {0};
  struct program *program;
  if (!program_open(&program, task->executable, error)) return false;
  uint8_t *is_branch_side = program_branch_sides(program);
  settings->executor.executable = task->executable;
  settings->executor.arguments = arguments;
  settings->executor.coverage_bytes = program_coverage_bytes(program);
  settings->is_branch_side = is_branch_side;
  *cell = (struct bench_cell){.started_at = clock_seconds(), .bug_at = -1};
  const bool good = explore(settings, &observer, 1, &result, error);
  cell->complete = result.complete;
  free(is_branch_side);
  program_close(program);
  return good;
}

static bool measure_here(struct bench_cell *cell, const struct bench_task *task, uint64_t seed,
                         const struct bench_limits *limits, struct error *error) {
  struct options options;
  struct explore_settings settings = {0};
  const bool good =
      make_settings(&settings, &options, task, seed, limits, error) && explore_once(cell, task, &settings, error);
  settings_free(&settings);
  options_free(&options);
  return good;
}

/* What the process of a measurement says: the cell, or what went wrong. */
struct bench_answer {
  struct bench_cell cell;
  struct error error;
  bool good;
};

static _Noreturn void measure_and_answer(int file, const struct bench_task *task, uint64_t seed,
                                         const struct bench_limits *limits) {
  struct bench_answer answer = {0};
  answer.good = measure_here(&answer.cell, task, seed, limits, &answer.error);
  _exit(write(file, &answer, sizeof answer) == sizeof answer ? 0 : 1);
}

static bool receive_answer(int file, struct bench_answer *answer) {
  size_t received = 0;
  while (received < sizeof *answer) {
    const ssize_t count = read(file, (char *)answer + received, sizeof *answer - received);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    received += (size_t)count;
  }
  return true;
}

/* In a process of its own, so that what it takes of memory is its own too. */
static bool measure_once(struct bench_cell *cell, const struct bench_task *task, uint64_t seed,
                         const struct bench_limits *limits, struct error *error) {
  int files[2];
  struct bench_answer answer;
  if (pipe(files) < 0) return error_set_errno(error, "cannot make a pipe");
  fflush(NULL);
  const pid_t child = fork();
  if (child < 0) return error_set_errno(error, "cannot start a process");
  if (child == 0) measure_and_answer(files[1], task, seed, limits);
  close(files[1]);
  const bool received = receive_answer(files[0], &answer);
  close(files[0]);
  waitpid(child, NULL, 0);
  if (!received) return error_set(error, "a measuring process ended without an answer");
  *cell = answer.cell;
  if (!answer.good) *error = answer.error;
  return answer.good;
}

static void add(struct bench_cell *sum, const struct bench_cell *cell) {
  for (int i = 0; i < BENCH_MEASURES; i++) sum->values[i] += cell->values[i];
}

bool bench_measure(struct bench_cell *cell, const struct bench_task *task, const struct bench_limits *limits,
                   struct error *error) {
  *cell = (struct bench_cell){.complete = true};
  double made = 0;
  for (uint64_t seed = 1; seed <= limits->repetitions; seed++) {
    struct bench_cell once;
    if (!measure_once(&once, task, seed, limits, error)) return false;
    if (!once.complete) {
      *cell = once;
      return true;
    }
    if (seed == 1) memcpy(cell->texts, once.texts, sizeof cell->texts);
    add(cell, &once);
    made++;
    if (limits->cell_seconds > 0 && cell->values[BENCH_SECONDS] > limits->cell_seconds) break;
  }
  for (int i = 0; i < BENCH_MEASURES; i++) cell->values[i] /= made;
  return true;
}
