/* SPDX-License-Identifier: MIT
 *
 * heddle replay --inputs FILE PROGRAM: one run of a program with the inputs of a file. Exit status: 0 it ended well, 1
 * it failed, 2 usage or a bad file, 3 it neither failed nor reached its end (an assumption did not hold, a bound).
 *
 * Which inputs the program asks for, and in which threads, only its runs show, and what it asks for may depend on those
 * before. So the run is repeated, each time with values for the inputs that the last one asked for, until nothing
 * changes: every repetition settles at least one input more.
 */
#include "cli/commands.h"
#include "cli/replay_program.h"
#include "cli/settings.h"
#include "program/program.h"
#include "report/given.h"
#include "report/shown_inputs.h"
#include "report/terminal.h"
#include "trace/tables.h"

#include <stdlib.h>
#include <string.h>

#define MOST_REPETITIONS 10000

enum { STATUS_FINE, STATUS_FAILED, STATUS_NOTHING = STATUS_USAGE + 1 };

/* --- the run --- */

static bool same_values(const input_values *a, const input_values *b) {
  return a->count == b->count && (a->count == 0 || memcmp(a->items, b->items, a->count * sizeof *a->items) == 0);
}

static bool run_until_settled(struct finding *finding, const struct executor_settings *settings,
                              const struct given_inputs *given, struct assignment *assignment, struct error *error) {
  for (int i = 0; i < MOST_REPETITIONS; i++) {
    if (!finding_repeat(finding, settings, error)) return false;
    if (!given_assign(given, finding->knowledge, &finding->trace, assignment, error)) return false;
    if (same_values(&assignment->values, &finding->inputs)) return true;
    if (assignment->values.count > settings->max_terms)
      return error_set(error, "%s has more inputs than --max-terms allows", given->path);
    const input_values before = finding->inputs;
    finding->inputs = assignment->values;
    assignment->values = before;
  }
  return error_set(error, "the program asks for different inputs each time it runs");
}

static void print_output(const struct text *output) {
  if (output->length == 0) return;
  fwrite(output->string, 1, output->length, stdout);
  if (output->string[output->length - 1] != '\n') putchar('\n');
}

static int report(const struct finding *finding, const struct program *program, const struct assignment *assignment) {
  const struct scene scene = {program, finding->knowledge, &finding->trace};
  const struct outcome_row *outcome = outcome_row(finding->record->outcome);
  print_output(&finding->output);
  if (outcome->class == OUTCOME_BUG)
    terminal_print_failure(stdout, &scene);
  else
    puts(outcome->words);
  inputs_print(stdout, &scene, "    with ", SIZE_MAX);
  if (assignment->missing > 0)
    printf("note: the file lacks %zu input%s that the program asks for; heddle uses 0\n", assignment->missing,
           assignment->missing == 1 ? "" : "s");
  if (assignment->unused > 0)
    printf("note: %zu input%s of the file %s not used\n", assignment->unused, assignment->unused == 1 ? "" : "s",
           assignment->unused == 1 ? "was" : "were");
  if (outcome->class == OUTCOME_BUG) return STATUS_FAILED;
  return outcome->class == OUTCOME_FINE ? STATUS_FINE : STATUS_NOTHING;
}

static int run(void *context, const struct executor_settings *settings, const struct program *program) {
  const struct given_inputs *given = context;
  struct finding *finding = memory_allocate(sizeof *finding);
  struct assignment assignment = {0};
  struct error error = {0};
  finding->policy = POLICY_CONTINUE;
  finding->knowledge = memory_allocate(sizeof *finding->knowledge);
  const int status = run_until_settled(finding, settings, given, &assignment, &error)
                         ? report(finding, program, &assignment)
                         : replay_complain(&error);
  vector_free(&assignment.values);
  finding_free(finding);
  return status;
}

/* --- from the command line to the run --- */

static int read_and_run(struct options *options, const char *file) {
  struct explore_settings settings;
  struct given_inputs given;
  struct error error = {0};
  const bool good = settings_make(&settings, options, NULL, &error) && given_read(&given, file, &error);
  const int status = good ? replay_program(options, &settings, run, &given) : replay_complain(&error);
  if (good) given_free(&given);
  settings_free(&settings);
  return status;
}

int replay_inputs_main(int argc, char **argv) {
  struct options options;
  struct error error = {0};
  const char *file = replay_take_file(&argc, argv, "--inputs");
  if (!file || !*file) {
    error_set(&error, "--inputs needs a file: heddle replay --inputs FILE PROGRAM [-- arguments]");
    return replay_complain(&error);
  }
  const int status =
      options_parse(&options, argc, argv, &error) ? read_and_run(&options, file) : replay_complain(&error);
  options_free(&options);
  return status;
}
