/* SPDX-License-Identifier: MIT
 *
 * heddle show: prints the run of a bug as a table, from its directory alone; nothing is run.
 */
#include "cli/commands.h"
#include "report/bundle.h"
#include "report/terminal.h"

#include <stdio.h>

static int complain(const struct error *error) {
  fprintf(stderr, "heddle: %s\n", error->message);
  return 2;
}

int show_main(int argc, char **argv) {
  struct bundle bundle;
  struct program *program;
  struct error error = {0};
  if (argc != 2 || argv[1][0] == '-') {
    fputs("heddle: usage: heddle show BUG, where BUG is a directory such as heddle-out/bug-1\n", stderr);
    return 2;
  }
  if (!bundle_read(&bundle, argv[1], &error)) return complain(&error);
  if (!program_open(&program, bundle.program, &error)) {
    bundle_free(&bundle);
    return complain(&error);
  }
  const struct scene scene = {program, bundle.finding->knowledge, &bundle.finding->trace};
  table_print(stdout, &scene);
  fputs("\n", stdout);
  terminal_print_failure(stdout, &scene);
  program_close(program);
  bundle_free(&bundle);
  return 0;
}
