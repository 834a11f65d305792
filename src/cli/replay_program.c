/* SPDX-License-Identifier: MIT */
#include "cli/replay_program.h"

#include "cli/build.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int replay_complain(const struct error *error) {
  fprintf(stderr, "heddle: %s\n", error->message);
  return STATUS_USAGE;
}

const char *replay_take_file(int *argc, char **argv, const char *name) {
  const size_t length = strlen(name);
  int i = 1, words = 1;
  while (strncmp(argv[i], name, length) != 0 || (argv[i][length] && argv[i][length] != '=')) i++;
  const char *file = argv[i] + length + 1;
  if (argv[i][length] == 0) {
    file = argv[i + 1];
    words = file ? 2 : 1;
  }
  memmove(argv + i, argv + i + words, (size_t)(*argc - i - words + 1) * sizeof *argv);
  *argc -= words;
  return file;
}

static int use_executable(const struct build *build, const struct options *options, struct explore_settings *settings,
                          replay_use *use, void *context) {
  struct program *program;
  struct error error = {0};
  if (!program_open(&program, build->executable, &error)) return replay_complain(&error);
  if (!settings_check_program(settings, program, &error)) {
    program_close(program);
    return replay_complain(&error);
  }
  VECTOR(const char *) arguments = {0};
  vector_push(&arguments, build->name);
  for (char **argument = options->arguments; *argument; argument++) vector_push(&arguments, *argument);
  vector_push(&arguments, NULL);
  settings->executor.executable = build->executable;
  settings->executor.arguments = arguments.items;
  settings->executor.coverage_bytes = program_coverage_bytes(program);
  const int status = use(context, &settings->executor, program);
  vector_free(&arguments);
  program_close(program);
  return status;
}

int replay_program(struct options *options, struct explore_settings *settings, replay_use *use, void *context) {
  struct build build;
  struct error error = {0};
  if (settings_bring_inputs(settings)) vector_push(&options->compile, "--heddle-follow");
  if (!build_program(&build, options, &error)) return replay_complain(&error);
  const int status = use_executable(&build, options, settings, use, context);
  build_free(&build);
  return status;
}
