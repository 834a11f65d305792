/* SPDX-License-Identifier: MIT
 *
 * heddle query: can the program come to a state? Exit status: 0 it can, and a run shows it; 1 it cannot; 2 usage, a bad
 * file or a bad expression; 3 not in the part that was explored, or nobody can say; 4 the run went another way.
 */
#include "query/query.h"
#include "base/files.h"
#include "cli/commands.h"
#include "report/bundle.h"
#include "report/report.h"
#include "report/shown_inputs.h"
#include "report/terminal.h"

#include <stdlib.h>
#include <string.h>

#define TIMEOUT_MILLISECONDS 60000u

enum { STATUS_REACHABLE, STATUS_UNREACHABLE, STATUS_USAGE, STATUS_UNKNOWN, STATUS_WRONG };

struct request {
  const char *file, *expression, *directory;
  uint32_t timeout_milliseconds;
};

static int complain(const struct error *error) {
  fprintf(stderr, "heddle: %s\n", error->message);
  return STATUS_USAGE;
}

/* --- the answer --- */

static bool write_state(const struct query_result *result, const char *directory, struct error *error) {
  struct text text = {0};
  char *path = files_join(directory, "state");
  state_append_file(&result->state, &text);
  const bool written = files_write(path, text_string(&text), text.length, error);
  text_free(&text);
  free(path);
  return written;
}

static int print_run(const struct query_result *result, const struct witness_program *program,
                     const struct request *request) {
  const struct report report = {.program = program->program, .executor = &program->settings};
  const struct scene scene = {program->program, result->finding->knowledge, &result->finding->trace};
  struct error error = {0};
  if (!bundle_write(&report, request->directory, result->finding, &error) ||
      !write_state(result, request->directory, &error))
    return complain(&error);
  printf("after %u step%s:\n%s", result->state.step, result->state.step == 1 ? "" : "s", text_string(&result->words));
  inputs_print(stdout, &scene, "    with ", SIZE_MAX);
  terminal_print_commands(stdout, request->directory);
  return STATUS_REACHABLE;
}

static int print_answer(const struct query_result *result, const struct witness_program *program,
                        const struct request *request) {
  switch (result->answer) {
  case QUERY_REACHABLE: fputs("reachable, ", stdout); return print_run(result, program, request);
  case QUERY_UNREACHABLE: puts("unreachable: no schedule and no inputs lead there"); return STATUS_UNREACHABLE;
  case QUERY_NOT_IN_PART: puts("unreachable in the part that was explored; not everything was"); break;
  case QUERY_UNKNOWN:
    puts(result->finding ? "unknown: it depends on a value that is not known"
                         : "unknown: the solver gave up (--timeout SECONDS gives it more time)");
    break;
  case QUERY_WRONG:
    fputs("heddle: a run did not come to the state that the unfolding says it comes to: the program behaves "
          "differently each time, or this is a defect of heddle\n",
          stderr);
    fputs(text_string(&result->words), stderr);
    return STATUS_WRONG;
  }
  return STATUS_UNKNOWN;
}

/* --- from the command line --- */

static int ask(struct structure *structure, const struct request *request) {
  struct witness_program program;
  struct query_result result;
  struct error error = {0};
  if (!witness_open_program(&program, structure, request->file, &error)) return complain(&error);
  int status;
  if (query_ask(&result, structure, &program, request->expression, request->timeout_milliseconds, &error)) {
    status = print_answer(&result, &program, request);
    query_result_free(&result);
  } else {
    status = complain(&error);
  }
  witness_close_program(&program);
  return status;
}

static bool parse_timeout(const char *text, uint32_t *milliseconds) {
  char *end;
  const double seconds = text ? strtod(text, &end) : 0;
  if (!text || end == text || *end || !(seconds > 0) || seconds > 86400) return false;
  *milliseconds = (uint32_t)(seconds * 1000) + 1;
  return true;
}

static bool parse(struct request *request, char **words) {
  *request = (struct request){.directory = "heddle-out/state", .timeout_milliseconds = TIMEOUT_MILLISECONDS};
  for (; *words && **words == '-' && (*words)[1]; words++) {
    if (strcmp(*words, "-o") == 0 && words[1])
      request->directory = *++words;
    else if (strncmp(*words, "--timeout=", 10) == 0) {
      if (!parse_timeout(*words + 10, &request->timeout_milliseconds)) return false;
    } else if (strcmp(*words, "--timeout") != 0 || !parse_timeout(*++words, &request->timeout_milliseconds))
      return false;
  }
  if (!words[0] || !words[1] || words[2]) return false;
  request->file = words[0];
  request->expression = words[1];
  return true;
}

int query_main(int argc, char **argv) {
  struct request request;
  struct structure structure;
  struct error error = {0};
  if (!parse(&request, argv + 1)) {
    fputs("heddle: usage: heddle query [-o DIR] [--timeout SECONDS] UNFOLDING.json EXPRESSION, where UNFOLDING.json is "
          "from 'heddle run --unfolding'\n",
          stderr);
    return STATUS_USAGE;
  }
  if (!structure_read(&structure, request.file, &error)) return complain(&error);
  const int status = ask(&structure, &request);
  structure_free(&structure);
  return status;
}
