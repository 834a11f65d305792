/* SPDX-License-Identifier: MIT
 *
 * heddle replay: repeats a bug and prints what the program printed and how it failed. Exit status: 1 it failed as
 * before, 2 it cannot be repeated here, 3 it went differently.
 */
#include "cli/commands.h"
#include "report/bundle.h"
#include "report/terminal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STATUS_REPEATED = 1, STATUS_USAGE, STATUS_DIFFERENT };

static int complain(const struct error *error) {
  fprintf(stderr, "heddle: %s\n", error->message);
  return STATUS_USAGE;
}

static void print_output(const struct text *output) {
  if (output->length == 0) return;
  fwrite(output->string, 1, output->length, stdout);
  if (output->string[output->length - 1] != '\n') putchar('\n');
}

static int compare(const struct bundle *bundle, const struct program *program, const struct trace_view *before) {
  const struct scene scene = {program, bundle->finding->knowledge, &bundle->finding->trace};
  const bool same = finding_same_failure(before, &bundle->finding->trace);
  print_output(&bundle->finding->output);
  if (!same) fputs("it did not fail as before; this time: ", stdout);
  terminal_print_failure(stdout, &scene);
  return same ? STATUS_REPEATED : STATUS_DIFFERENT;
}

static int repeat(struct bundle *bundle, const struct program *program) {
  const struct executor_settings settings = {
      .executable = bundle->program,
      .arguments = (const char *const *)bundle->arguments.items,
      .isolation = bundle->isolation,
      .options = bundle->options,
      .max_events = bundle->max_events,
      .hang_seconds = bundle->hang_seconds,
      .coverage_bytes = program_coverage_bytes(program),
      .output = -1,
  };
  struct error error = {0};
  struct trace *record = trace_copy(&bundle->finding->trace);
  struct trace_view before;
  BUG_ON(!trace_open(&before, record, record->size_bytes));
  const int status =
      finding_repeat(bundle->finding, &settings, &error) ? compare(bundle, program, &before) : complain(&error);
  free(record);
  return status;
}

int replay_main(int argc, char **argv) {
  struct bundle bundle;
  struct program *program;
  struct error error = {0};
  if (argc != 2 || argv[1][0] == '-') {
    fputs("heddle: usage: heddle replay BUG, where BUG is a directory such as heddle-out/bug-1\n", stderr);
    return STATUS_USAGE;
  }
  if (!bundle_read(&bundle, argv[1], &error)) return complain(&error);
  int status = STATUS_USAGE;
  if (program_open(&program, bundle.program, &error)) {
    status = repeat(&bundle, program);
    program_close(program);
  } else {
    complain(&error);
  }
  bundle_free(&bundle);
  return status;
}
