/* SPDX-License-Identifier: MIT
 *
 * heddle run: build, explore, report. Exit status: 0 explored completely without a bug, 1 a bug, 2 usage or build
 * error or no memory left, 3 no bug but not complete, 4 internal error.
 */
#include "base/files.h"
#include "cli/build.h"
#include "cli/commands.h"
#include "cli/settings.h"
#include "explore/executor/journal.h"
#include "report/bundle.h"
#include "report/formats/formats.h"
#include "report/page/page.h"
#include "report/report.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { STATUS_CLEAN, STATUS_BUG, STATUS_USAGE, STATUS_INCOMPLETE };

#define SAME_SIGNAL_SECONDS 0.1
#define BUG_DIRECTORIES "heddle-out"

static volatile sig_atomic_t interrupted;

static void end_by(int number) {
  signal(number, SIG_DFL);
  raise(number);
}

/* The second Ctrl-C ends heddle at once. `timeout` sends its signal twice, to us and to our group: that is one. */
static void interrupt(int number) {
  static struct timespec first;
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  const double seconds = (double)(now.tv_sec - first.tv_sec) + (double)(now.tv_nsec - first.tv_nsec) / 1e9;
  if (interrupted && seconds < SAME_SIGNAL_SECONDS) return;
  if (interrupted) end_by(number);
  first = now;
  interrupted = number;
  build_interrupt();
}

static void watch_for_interrupts(void) {
  const struct sigaction action = {.sa_handler = interrupt};
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  sigaction(SIGHUP, &action, NULL);
}

static int complain(const struct error *error) {
  fprintf(stderr, "heddle: %s\n", error->message);
  return STATUS_USAGE;
}

static int print_help(void) {
  puts("heddle run [options] FILE... [-- program arguments]\n"
       "heddle run [options] EXECUTABLE [-- program arguments]     built with 'heddle cc'\n");
  options_print_help(stdout);
  puts("\nstrategies:");
  for (unsigned i = 0; strategy_at(i); i++) printf("  %-30s %s\n", strategy_at(i)->name, strategy_at(i)->help);
  return 0;
}

/* --- exploring --- */

static int status_of(const struct explore_result *result) {
  if (result->found_bug) return STATUS_BUG;
  return result->complete ? STATUS_CLEAN : STATUS_INCOMPLETE;
}

static int explore_and_report(const struct explore_settings *settings, struct report *report) {
  const struct observer observers[] = {bundle_observer(report),   tests_observer(report), coverage_observer(report),
                                       terminal_observer(report), json_observer(report),  unfolding_observer(report),
                                       formats_observer(report),  page_observer(report)};
  struct explore_result result = {0};
  struct error error = {0};
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

/* One per program, unless the user says otherwise. */
static char *bug_directory(const struct options *options, const struct build *build) {
  const struct option_value *output = &options->values[OPTION_OUTPUT];
  if (output->given) return memory_copy_string(output->text);
  char *name = build_short_name(build->name), *directory = files_join(BUG_DIRECTORIES, name);
  free(name);
  return directory;
}

static struct report make_report(const struct options *options, const struct explore_settings *settings,
                                 const struct program *program) {
  const char *json = options->values[OPTION_JSON].text;
  return (struct report){
      .program = program,
      .executor = &settings->executor,
      .stream = json && strcmp(json, "-") == 0 ? stderr : stdout,
      .live = isatty(STDERR_FILENO),
      .json = json,
      .coverage = options->values[OPTION_COVERAGE].text,
      .unfolding = options->values[OPTION_UNFOLDING].text,
      .html = options->values[OPTION_HTML].text,
      .sarif = options->values[OPTION_SARIF].text,
      .junit = options->values[OPTION_JUNIT].text,
      .witness = options->values[OPTION_WITNESS].text,
      .github = options->values[OPTION_GITHUB].given,
      .name = settings->executor.arguments[0],
      .source = options->files.items[0],
      .paths = {.absolute = options->values[OPTION_ABSOLUTE_PATHS].given},
      .max_preemptions =
          options->values[OPTION_MAX_PREEMPTIONS].given ? options->values[OPTION_MAX_PREEMPTIONS].number : UINT64_MAX,
  };
}

/* Which exploration it is: the heddle that makes it, the program, its arguments, and how it is explored. */
static bool append_identity(const struct options *options, const struct build *build, struct text *text,
                            struct error *error) {
  uint64_t hash;
  if (!files_hash("/proc/self/exe", &hash, error)) return false;
  text_append_format(text, JOURNAL_MAKER "%llx\n", (unsigned long long)hash);
  if (!files_hash(build->executable, &hash, error)) return false;
  text_append_format(text, "program %s %llx\n", build->name, (unsigned long long)hash);
  for (char **argument = options->arguments; *argument; argument++)
    text_append_format(text, "argument %s\n", *argument);
  options_append_identity(options, text);
  return true;
}

static struct journal *open_state(const struct options *options, const char *identity, struct error *error) {
  const char *save = options->values[OPTION_SAVE].text, *resume = options->values[OPTION_RESUME].text;
  if (save && !files_make_directory(save, error)) return NULL;
  char *file = files_join(resume ? resume : save, "state");
  struct journal *journal = resume ? journal_resume(file, identity, error) : journal_create(file, identity, error);
  free(file);
  if (journal) journal_set_state_seconds(journal, (double)options->values[OPTION_SAVE_EVERY].number);
  return journal;
}

/* NULL in *journal: it is not to be saved. */
static bool open_journal(const struct options *options, const struct build *build, struct journal **journal,
                         struct error *error) {
  struct text identity = {0};
  *journal = NULL;
  if (!options->values[OPTION_SAVE].given && !options->values[OPTION_RESUME].given) return true;
  if (append_identity(options, build, &identity, error)) *journal = open_state(options, text_string(&identity), error);
  text_free(&identity);
  return *journal;
}

static int run_program(const struct options *options, struct explore_settings *settings, const struct build *build) {
  struct program *program;
  struct error error = {0};
  if (!program_open(&program, build->executable, &error)) return complain(&error);
  if (!settings_check_program(settings, program, &error) || !open_journal(options, build, &settings->journal, &error)) {
    program_close(program);
    return complain(&error);
  }
  VECTOR(const char *) arguments = {0};
  vector_push(&arguments, build->name);
  for (char **argument = options->arguments; *argument; argument++) vector_push(&arguments, *argument);
  vector_push(&arguments, NULL);
  settings->executor.executable = build->executable;
  settings->executor.arguments = arguments.items;
  settings->executor.coverage_bytes = program_coverage_bytes(program);
  struct tests tests = make_tests(options, settings);
  struct report report = make_report(options, settings, program);
  bundle_place_open(&report.place, bug_directory(options, build));
  program_list_branches(program, &report.branches);
  uint8_t *is_branch_side = program_branch_sides(program);
  settings->is_branch_side = is_branch_side;
  if (tests.directory) report.tests = &tests;
  const int status = explore_and_report(settings, &report);
  journal_destroy(settings->journal);
  bundle_place_close(&report.place);
  vector_free(&report.branches);
  free(is_branch_side);
  program_close(program);
  vector_free(&arguments);
  return status;
}

/* Whether the results can be written is seen before the exploration, not after hours of it. */
static bool can_write_results(const struct options *options, struct error *error) {
  static const enum option files[] = {OPTION_JSON,  OPTION_COVERAGE, OPTION_UNFOLDING, OPTION_SARIF,
                                      OPTION_JUNIT, OPTION_WITNESS,  OPTION_HTML};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    const char *file = options->values[files[i]].text;
    const bool is_stream = files[i] == OPTION_JSON && file && strcmp(file, "-") == 0;
    if (file && !is_stream && !files_can_write(file, error)) return false;
  }
  const char *tests = options->values[OPTION_TESTS].text, *directory = options->values[OPTION_OUTPUT].text;
  if (tests && !files_make_directory(tests, error)) return false;
  if (!options->values[OPTION_OUTPUT].given || files_exists(directory)) return true;
  if (!files_make_directory(directory, error)) return false;
  rmdir(directory); /* made when there is something to put into it */
  return true;
}

static int build_and_run(struct options *options) {
  struct explore_settings settings;
  struct build build;
  struct error error = {0};
  if (!settings_make(&settings, options, NULL, &error) || !can_write_results(options, &error)) {
    settings_free(&settings);
    return complain(&error);
  }
  settings.interrupted = &interrupted;
  watch_for_interrupts();
  if (options->values[OPTION_COVERAGE].given) vector_push(&options->compile, "--heddle-line-coverage");
  if (settings_bring_inputs(&settings)) vector_push(&options->compile, "--heddle-follow");
  if (!build_program(&build, options, &error)) {
    settings_free(&settings);
    if (interrupted) end_by(interrupted); /* there is nothing to report yet */
    return complain(&error);
  }
  const int status = run_program(options, &settings, &build);
  build_free(&build);
  settings_free(&settings);
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
