/* SPDX-License-Identifier: MIT
 *
 * heddle show: prints the run of a bug, or of a state that `heddle query` found, as a table, from its directory alone;
 * nothing is run.
 */
#include "cli/commands.h"
#include "query/state.h"
#include "report/bundle.h"
#include "report/shown_inputs.h"
#include "report/terminal.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static int complain(const struct error *error) {
  fprintf(stderr, "heddle: %s\n", error->message);
  return 2;
}

static void print_switches(const struct finding *finding) {
  const uint32_t switches = finding->record->switches;
  printf("    %u steps, %u context switch%s", finding->record->n_steps, switches, switches == 1 ? "" : "es");
  if (switches < finding->found_switches) printf(" (%u before minimisation)", finding->found_switches);
  printf("; * marks what the failure rests on\n");
}

static bool print_state(const struct bundle *bundle, const struct scene *scene) {
  struct state state;
  enum state_answer answer;
  struct text words = {0};
  if (!state_read(&state, bundle->directory, NULL)) return false;
  const bool good = state_look(&state, scene, &answer, &words, NULL);
  if (good) printf("%s: the state after step %u\n%s", state.text, state.step, text_string(&words));
  text_free(&words);
  state_free(&state);
  return good;
}

static void print_run(const struct bundle *bundle, const struct program *program, bool full) {
  const struct scene scene = {program, bundle->finding->knowledge, &bundle->finding->trace};
  struct table_settings settings = table_settings_for(stdout);
  struct stat status;
  settings.full = full;
  if (stat(bundle->program, &status) == 0) settings.built_at = status.st_mtime;
  if (scene.trace->record->n_inputs > 0) {
    inputs_print(stdout, &scene, "inputs: ", SIZE_MAX);
    putchar('\n');
  }
  table_print(stdout, &scene, &settings);
  putchar('\n');
  if (print_state(bundle, &scene)) return;
  terminal_print_failure(stdout, &scene);
  print_switches(bundle->finding);
  terminal_print_time(stdout, scene.trace->record);
}

int show_main(int argc, char **argv) {
  struct bundle bundle;
  struct program *program;
  struct error error = {0};
  const bool full = argc == 3 && strcmp(argv[1], "--full") == 0;
  if (argc != 2 + full || argv[1 + full][0] == '-') {
    fputs("heddle: usage: heddle show [--full] BUG, where BUG is a directory such as heddle-out/program/bug-1\n",
          stderr);
    return 2;
  }
  if (!bundle_read(&bundle, argv[1 + full], &error)) return complain(&error);
  if (!program_open(&program, bundle.program, &error)) {
    bundle_free(&bundle);
    return complain(&error);
  }
  print_run(&bundle, program, full);
  program_close(program);
  bundle_free(&bundle);
  return 0;
}
