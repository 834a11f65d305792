/* SPDX-License-Identifier: MIT
 *
 * heddle replay: repeats a bug and prints what the program printed and how it failed. Exit status: 1 it failed as
 * before, 2 it cannot be repeated here, 3 it went differently. The run of a state that `heddle query` found is repeated
 * up to its end, and the state shown: 0 it came there, 3 it did not. With --trace-from N it prints the run from step N
 * on; with --gdb it happens in gdb, which stops there and where the run fails, and whose exit status counts.
 */
#include "cli/commands.h"
#include "cli/debugger.h"
#include "query/state.h"
#include "report/bundle.h"
#include "report/shown_inputs.h"
#include "report/terminal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STATUS_REACHED, STATUS_REPEATED, STATUS_USAGE, STATUS_DIFFERENT };

struct request {
  const char *directory;
  bool gdb;
  uint64_t trace_from; /* 0: not asked for */
  const char *const *gdb_arguments;
};

static int complain(const struct error *error) {
  fprintf(stderr, "heddle: %s\n", error->message);
  return STATUS_USAGE;
}

static void print_output(const struct text *output) {
  if (output->length == 0) return;
  fwrite(output->string, 1, output->length, stdout);
  if (output->string[output->length - 1] != '\n') putchar('\n');
}

static void print_trace(const struct scene *scene, uint64_t trace_from) {
  const struct table_settings settings = {.full = true, .from_step = trace_from};
  if (!trace_from) return;
  table_print(stdout, scene, &settings);
  putchar('\n');
}

static int compare(const struct bundle *bundle, const struct program *program, const struct trace_view *before,
                   uint64_t trace_from) {
  const struct scene scene = {program, bundle->finding->knowledge, &bundle->finding->trace};
  const bool same = finding_same_failure(before, &bundle->finding->trace);
  print_output(&bundle->finding->output);
  print_trace(&scene, trace_from);
  if (!same) fputs("the run did not fail as before; this time: ", stdout);
  terminal_print_failure(stdout, &scene);
  return same ? STATUS_REPEATED : STATUS_DIFFERENT;
}

/* --- runs of states --- */

static int print_state(const struct state *state, const struct bundle *bundle, const struct program *program,
                       uint64_t trace_from) {
  static const char *const answers[] = {[STATE_REACHED] = "reached: ",
                                        [STATE_NOT_REACHED] = "this time the run does not reach ",
                                        [STATE_NOT_KNOWN] = "the run does not show whether it reaches "};
  const struct scene scene = {program, bundle->finding->knowledge, &bundle->finding->trace};
  enum state_answer answer;
  struct text words = {0};
  struct error error = {0};
  int status = STATUS_USAGE;
  if (state_look(state, &scene, &answer, &words, &error)) {
    print_output(&bundle->finding->output);
    print_trace(&scene, trace_from);
    printf("%s%s\nafter %u step%s:\n%s", answers[answer], state->text, state->step, state->step == 1 ? "" : "s",
           text_string(&words));
    inputs_print(stdout, &scene, "    with ", SIZE_MAX);
    status = answer == STATE_REACHED ? STATUS_REACHED : STATUS_DIFFERENT;
  } else {
    complain(&error);
  }
  text_free(&words);
  return status;
}

static struct executor_settings settings_of(const struct bundle *bundle, const struct program *program) {
  return (struct executor_settings){
      .executable = bundle->program,
      .arguments = (const char *const *)bundle->arguments.items,
      .isolation = bundle->isolation,
      .options = bundle->options,
      .max_events = bundle->max_events,
      .max_memory_mb = bundle->max_memory_mb,
      .max_threads = bundle->max_threads,
      .max_terms = bundle->max_terms,
      .symbolic_arguments = bundle->symbolic_arguments,
      .symbolic_argument_bytes = bundle->symbolic_argument_bytes,
      .symbolic_stdin_bytes = bundle->symbolic_stdin_bytes,
      .hang_seconds = bundle->hang_seconds,
      .coverage_bytes = program_coverage_bytes(program),
      .output = -1,
  };
}

static int repeat(struct bundle *bundle, const struct program *program, uint64_t trace_from) {
  const struct executor_settings settings = settings_of(bundle, program);
  struct error error = {0};
  struct trace *record = trace_copy(&bundle->finding->trace);
  struct trace_view before;
  BUG_ON(!trace_open(&before, record, record->size_bytes));
  const int status = finding_repeat(bundle->finding, &settings, &error) ? compare(bundle, program, &before, trace_from)
                                                                        : complain(&error);
  free(record);
  return status;
}

static int repeat_state(struct bundle *bundle, const struct program *program, uint64_t trace_from) {
  const struct executor_settings settings = settings_of(bundle, program);
  struct state state;
  struct error error = {0};
  if (!state_read(&state, bundle->directory, &error)) return complain(&error);
  const int status = finding_repeat(bundle->finding, &settings, &error)
                         ? print_state(&state, bundle, program, trace_from)
                         : complain(&error);
  state_free(&state);
  return status;
}

static int debug(const struct bundle *bundle, const struct program *program, const struct request *request) {
  const struct executor_settings settings = settings_of(bundle, program);
  const struct scene scene = {program, bundle->finding->knowledge, &bundle->finding->trace};
  const struct debugger_settings debugger = {&settings, request->trace_from, request->gdb_arguments};
  struct error error = {0};
  int status;
  terminal_print_failure(stdout, &scene);
  puts("\n'info threads' lists the program's threads; 'thread 2', 'bt', 'up' look around; only one runs at a time");
  fflush(stdout);
  return debugger_run(bundle, &scene, &debugger, &status, &error) ? status : complain(&error);
}

static bool parse_step(const char *text, uint64_t *step) {
  char *end;
  if (!text || *text < '0' || *text > '9') return false;
  *step = strtoull(text, &end, 10);
  return *end == 0 && *step > 0;
}

static bool parse(struct request *request, char **words) {
  static const char *const none[] = {NULL};
  *request = (struct request){.gdb_arguments = none};
  for (; *words; words++) {
    if (strcmp(*words, "--gdb") == 0) {
      request->gdb = true;
    } else if (strncmp(*words, "--trace-from=", 13) == 0) {
      if (!parse_step(*words + 13, &request->trace_from)) return false;
    } else if (strcmp(*words, "--trace-from") == 0) {
      if (!parse_step(*++words, &request->trace_from)) return false;
    } else if (strcmp(*words, "--") == 0 && request->gdb) {
      request->gdb_arguments = (const char *const *)words + 1;
      break;
    } else {
      if (request->directory || **words == '-') return false;
      request->directory = *words;
    }
  }
  return request->directory;
}

/* Words after -- are not ours. */
static bool has_option(char **words, const char *option) {
  const size_t length = strlen(option);
  for (; *words && strcmp(*words, "--") != 0; words++)
    if (strncmp(*words, option, length) == 0 && ((*words)[length] == 0 || (*words)[length] == '=')) return true;
  return false;
}

int replay_main(int argc, char **argv) {
  if (has_option(argv + 1, "--inputs")) return replay_inputs_main(argc, argv);
  if (has_option(argv + 1, "--sequence")) return replay_sequence_main(argc, argv);
  struct bundle bundle;
  struct program *program;
  struct request request;
  struct error error = {0};
  if (!parse(&request, argv + 1)) {
    fputs("heddle: usage: heddle replay [--trace-from STEP] [--gdb] BUG [-- gdb arguments], where BUG is a directory "
          "such as heddle-out/program/bug-1, or heddle replay --inputs FILE PROGRAM [-- arguments], or heddle replay "
          "--sequence FILE PROGRAM "
          "[-- arguments]\n",
          stderr);
    return STATUS_USAGE;
  }
  if (!bundle_read(&bundle, request.directory, &error)) return complain(&error);
  if (!environment_restore(&bundle.environment, bundle.program, &error)) {
    bundle_free(&bundle);
    return complain(&error);
  }
  int status = STATUS_USAGE;
  if (program_open(&program, bundle.program, &error)) {
    if (request.gdb)
      status = debug(&bundle, program, &request);
    else if (state_is_in(request.directory))
      status = repeat_state(&bundle, program, request.trace_from);
    else
      status = repeat(&bundle, program, request.trace_from);
    program_close(program);
  } else {
    complain(&error);
  }
  bundle_free(&bundle);
  return status;
}
