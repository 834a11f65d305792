/* SPDX-License-Identifier: MIT
 *
 * heddle run: build, explore, report. Exit status: 0 explored completely without a bug, 1 a bug, 2 usage or build
 * error, 3 no bug but not complete, 4 internal error.
 */
#include "base/files.h"
#include "cli/build.h"
#include "cli/commands.h"
#include "explore/explore.h"
#include "report/bundle.h"
#include "report/report.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { STATUS_CLEAN, STATUS_BUG, STATUS_USAGE, STATUS_INCOMPLETE };

static volatile sig_atomic_t interrupted;

static void interrupt(int signal) {
  interrupted = 1;
}

/* The second Ctrl-C ends heddle at once. */
static void watch_for_interrupts(void) {
  const struct sigaction action = {.sa_handler = interrupt, .sa_flags = (int)SA_RESETHAND};
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
}

static int complain(const struct error *error) {
  fprintf(stderr, "heddle: %s\n", error->message);
  return STATUS_USAGE;
}

static int print_help(void) {
  puts("heddle run [options] FILE.c... [-- program arguments]\n"
       "heddle run [options] EXECUTABLE [-- program arguments]     built with 'heddle cc'\n");
  options_print_help(stdout);
  puts("\nstrategies:");
  for (unsigned i = 0; strategy_at(i); i++) printf("  %-30s %s\n", strategy_at(i)->name, strategy_at(i)->help);
  return 0;
}

/* --- from options to settings --- */

static bool choose_strategy(const struct options *options, const struct strategy **strategy, struct error *error) {
  const char *name = options->values[OPTION_STRATEGY].text;
  *strategy = strategy_find(name);
  return *strategy || error_set(error, "there is no strategy %s: see 'heddle run --help'", name);
}

static bool choose_among(const char *option, const char *text, const char *const *names, int *choice,
                         struct error *error) {
  for (*choice = 0; names[*choice]; (*choice)++)
    if (strcmp(names[*choice], text) == 0) return true;
  return error_set(error, "--%s cannot be %s: see 'heddle run --help'", option, text);
}

static bool choose_isolation(const struct options *options, enum isolation *isolation, struct error *error) {
  static const char *const names[] = {"auto", "reset", "fork", NULL};
  int choice;
  if (!choose_among("isolation", options->values[OPTION_ISOLATION].text, names, &choice, error)) return false;
  *isolation = (enum isolation)choice;
  return true;
}

static bool choose_run_options(const struct options *options, uint32_t *chosen, struct error *error) {
  static const char *const names[] = {"off", "warn", "error", NULL};
  static const uint32_t races[] = {0, RUN_RACES_WARN, RUN_RACES_END};
  int choice;
  if (!choose_among("races", options->values[OPTION_RACES].text, names, &choice, error)) return false;
  *chosen = races[choice];
  if (options->values[OPTION_MALLOC_FAIL].given) *chosen |= RUN_MALLOC_MAY_FAIL;
  if (options->values[OPTION_SPURIOUS].given) *chosen |= RUN_SPURIOUS_WAKES;
  if (options->values[OPTION_LEAKS].given) *chosen |= RUN_LEAKS;
  if (options->values[OPTION_SVCOMP].given) *chosen |= RUN_SVCOMP;
  return true;
}

static uint64_t number_or_no_limit(const struct options *options, enum option option) {
  return options->values[option].given ? options->values[option].number : NO_LIMIT;
}

/* Every byte of them is an input, and the first of a run's terms. */
static bool check_inputs(const struct options *options, struct error *error) {
  const struct option_value *arguments = &options->values[OPTION_SYM_ARGS];
  const uint64_t wanted = arguments->number * arguments->second + options->values[OPTION_SYM_STDIN].number;
  if (options->values[OPTION_KTEST].given && !options->values[OPTION_TESTS].given)
    return error_set(error, "--ktest needs --tests DIR: the files go there");
  if (wanted <= options->values[OPTION_MAX_TERMS].number) return true;
  return error_set(error, "--sym-args and --sym-stdin ask for %llu inputs, more than --max-terms allows",
                   (unsigned long long)wanted);
}

static bool make_settings(struct explore_settings *settings, const struct options *options, struct error *error) {
  *settings = (struct explore_settings){
      .seed = options->values[OPTION_SEED].number,
      .max_runs = number_or_no_limit(options, OPTION_MAX_RUNS),
      .max_seconds = options->values[OPTION_MAX_TIME].seconds,
      .max_preemptions = number_or_no_limit(options, OPTION_MAX_PREEMPTIONS),
      .minimise_runs = (uint32_t)options->values[OPTION_MINIMISE].number,
      .depth = (uint32_t)options->values[OPTION_DEPTH].number,
      .solver_timeout_milliseconds = (uint32_t)options->values[OPTION_SOLVER_TIMEOUT].number,
      .max_address_targets = (uint32_t)options->values[OPTION_MAX_ADDRESS_TARGETS].number,
      .check_solver = options->values[OPTION_CHECK_SOLVER].given,
      .keep_going = options->values[OPTION_KEEP_GOING].given,
      .interrupted = &interrupted,
      .executor = {.max_events = (uint32_t)options->values[OPTION_MAX_EVENTS].number,
                   .max_memory_mb = (uint32_t)options->values[OPTION_MAX_MEMORY].number,
                   .max_terms = (uint32_t)options->values[OPTION_MAX_TERMS].number,
                   .symbolic_arguments = (uint32_t)options->values[OPTION_SYM_ARGS].number,
                   .symbolic_argument_bytes = (uint32_t)options->values[OPTION_SYM_ARGS].second,
                   .symbolic_stdin_bytes = (uint32_t)options->values[OPTION_SYM_STDIN].number,
                   .hang_seconds = (uint32_t)options->values[OPTION_HANG_TIME].number,
                   .output = -1},
  };
  if (options->values[OPTION_JOBS].number > 1) fputs("heddle: -j: only one executor is supported for now\n", stderr);
  return choose_strategy(options, &settings->strategy, error) && check_inputs(options, error) &&
         choose_isolation(options, &settings->executor.isolation, error) &&
         choose_run_options(options, &settings->executor.options, error);
}

/* --- exploring --- */

static int status_of(const struct explore_result *result) {
  if (result->found_bug) return STATUS_BUG;
  return result->complete ? STATUS_CLEAN : STATUS_INCOMPLETE;
}

static int explore_and_report(const struct explore_settings *settings, struct report *report) {
  const struct observer observers[] = {bundle_observer(report), tests_observer(report), terminal_observer(report),
                                       json_observer(report)};
  struct explore_result result = {0};
  struct error error = {0};
  bundle_remove_old(report->directory);
  if (report->tests && !tests_begin(report->tests, &error)) return complain(&error);
  if (!explore(settings, observers, sizeof observers / sizeof *observers, &result, &error)) return complain(&error);
  return report->failed ? complain(&report->error) : status_of(&result);
}

static struct tests make_tests(const struct options *options, const struct explore_settings *settings) {
  return (struct tests){.directory = options->values[OPTION_TESTS].text,
                        .source = options->files.items[0],
                        .arguments = settings->executor.arguments,
                        .ktest = options->values[OPTION_KTEST].given};
}

static struct report make_report(const struct options *options, const struct explore_settings *settings,
                                 const struct program *program) {
  const char *json = options->values[OPTION_JSON].text;
  return (struct report){
      .program = program,
      .executor = &settings->executor,
      .directory = options->values[OPTION_OUTPUT].text,
      .stream = json && strcmp(json, "-") == 0 ? stderr : stdout,
      .live = isatty(STDERR_FILENO),
      .json = json,
  };
}

static int run_program(const struct options *options, struct explore_settings *settings, const struct build *build) {
  struct program *program;
  struct error error = {0};
  if (!program_open(&program, build->executable, &error)) return complain(&error);
  VECTOR(const char *) arguments = {0};
  vector_push(&arguments, build->name);
  for (char **argument = options->arguments; *argument; argument++) vector_push(&arguments, *argument);
  vector_push(&arguments, NULL);
  settings->executor.executable = build->executable;
  settings->executor.arguments = arguments.items;
  settings->executor.coverage_bytes = program_coverage_bytes(program);
  struct tests tests = make_tests(options, settings);
  struct report report = make_report(options, settings, program);
  if (tests.directory) report.tests = &tests;
  const int status = explore_and_report(settings, &report);
  program_close(program);
  vector_free(&arguments);
  return status;
}

/* Whether the results can be written is seen before the exploration, not after hours of it. */
static bool can_write_results(const struct options *options, struct error *error) {
  const char *json = options->values[OPTION_JSON].text, *directory = options->values[OPTION_OUTPUT].text;
  const char *tests = options->values[OPTION_TESTS].text;
  if (json && strcmp(json, "-") != 0 && !files_can_write(json, error)) return false;
  if (tests && !files_make_directory(tests, error)) return false;
  if (files_exists(directory)) return true;
  if (!files_make_directory(directory, error)) return false;
  rmdir(directory); /* made when there is something to put into it */
  return true;
}

static int build_and_run(const struct options *options) {
  struct explore_settings settings;
  struct build build;
  struct error error = {0};
  if (!make_settings(&settings, options, &error) || !can_write_results(options, &error)) return complain(&error);
  watch_for_interrupts();
  if (!build_program(&build, options, &error)) return complain(&error);
  const int status = run_program(options, &settings, &build);
  build_free(&build);
  return status;
}

int run_main(int argc, char **argv) {
  struct options options;
  struct error error = {0};
  int status;
  if (!options_parse(&options, argc, argv, &error))
    status = complain(&error);
  else if (options.values[OPTION_HELP].given)
    status = print_help();
  else
    status = build_and_run(&options);
  options_free(&options);
  return status;
}
