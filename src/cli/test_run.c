/* SPDX-License-Identifier: MIT
 *
 * Each case is `heddle run` in a process of its own, some at a time; what it found is read from its JSON.
 */
#include "cli/test.h"

#include "base/deadline.h"
#include "base/files.h"
#include "base/json_read.h"
#include "cli/build.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* --- one exploration --- */

/* heddle-out/PROGRAM/CASE, so that tests do not disturb each other. */
static char *bug_directory(const struct tests_found *found, const struct test_case *test) {
  char *program = build_short_name(found->programs.items[test->program].file);
  struct text path = {0};
  text_append_format(&path, "heddle-out/%s", program);
  if (*test->name) text_append(&path, "/");
  for (const char *at = test->name; *at; at++) text_append_bytes(&path, *at == '/' || *at == ' ' ? "_" : at, 1);
  free(program);
  return path.string;
}

static _Noreturn void become_exploration(const struct tests_found *found, const struct test_case *test,
                                         const struct test_request *request, double seconds) {
  VECTOR(const char *) words = {0};
  char *directory = bug_directory(found, test);
  struct text limit = {0};
  const int null = open("/dev/null", O_RDWR);
  dup2(null, STDIN_FILENO);
  dup2(null, STDOUT_FILENO);
  if (test->environment) putenv(test->environment);
  if (test->environment && strncmp(test->environment, "CK_", 3) == 0) setenv("CK_FORK", "no", 1);
  text_append_format(&limit, "%.2f", seconds);
  vector_push(&words, "heddle");
  vector_push(&words, "run");
  vector_push(&words, "--json");
  vector_push(&words, test->json);
  vector_push(&words, "-o");
  vector_push(&words, directory);
  if (seconds > 0) vector_push(&words, "--max-time");
  if (seconds > 0) vector_push(&words, limit.string);
  for (size_t i = 0; i < request->options.count; i++) vector_push(&words, request->options.items[i]);
  vector_push(&words, found->programs.items[test->program].executable);
  if (test->argument) vector_push(&words, "--");
  if (test->argument) vector_push(&words, test->argument);
  vector_push(&words, NULL);
  execv("/proc/self/exe", (char *const *)words.items);
  _exit(127);
}

/* --- its result --- */

struct result {
  struct text verdict, message, kind, function, directory, runs, seconds;
  bool has_bug;
};

static void read_bug(struct json_reader *json, struct result *result) {
  struct text name = {0};
  const bool first = !result->has_bug;
  if (json_enter(json, '{'))
    while (json_next_member(json, &name)) {
      const char *member = text_string(&name);
      struct text *into = !first                             ? NULL
                          : strcmp(member, "message") == 0   ? &result->message
                          : strcmp(member, "kind") == 0      ? &result->kind
                          : strcmp(member, "function") == 0  ? &result->function
                          : strcmp(member, "directory") == 0 ? &result->directory
                                                             : NULL;
      if (into)
        json_read_string(json, into);
      else
        json_skip(json);
    }
  result->has_bug = true;
  text_free(&name);
}

static void read_result(struct result *result, const struct text *contents) {
  struct json_reader json = json_read(text_string(contents), contents->length);
  struct text name = {0};
  if (json_enter(&json, '{'))
    while (json_next_member(&json, &name)) {
      const char *member = text_string(&name);
      if (strcmp(member, "verdict") == 0)
        json_read_string(&json, &result->verdict);
      else if (strcmp(member, "runs") == 0)
        json_read_number(&json, &result->runs);
      else if (strcmp(member, "seconds") == 0)
        json_read_number(&json, &result->seconds);
      else if (strcmp(member, "bugs") == 0 && json_enter(&json, '['))
        while (json_next_item(&json)) read_bug(&json, result);
      else
        json_skip(&json);
    }
  text_free(&name);
}

/* A specification says what a call gives; if it waits, nothing can be compared with it. */
static bool is_of_specification(const struct test_program *program, const struct result *result) {
  const char *kind = text_string(&result->kind);
  if (strcmp(kind, "deadlock") != 0 && strcmp(kind, "livelock") != 0) return false;
  for (size_t i = 0; i < program->specifications.count; i++)
    if (strcmp(program->specifications.items[i], text_string(&result->function)) == 0) return true;
  return false;
}

static void take_result(struct tests_found *found, struct test_case *test, const struct result *result) {
  const char *verdict = text_string(&result->verdict);
  test->runs = strtoull(text_string(&result->runs), NULL, 10);
  test->seconds = strtod(text_string(&result->seconds), NULL);
  if (strcmp(verdict, "clean") == 0) test->verdict = TEST_CLEAN;
  if (strcmp(verdict, "incomplete") == 0) test->verdict = TEST_INCOMPLETE;
  if (strcmp(verdict, "bug") != 0) return;
  test->verdict = TEST_BUG;
  text_append(&test->what, text_string(&result->message));
  test->kind = memory_copy_string(text_string(&result->kind));
  test->function = memory_copy_string(text_string(&result->function));
  if (result->directory.length > 0) test->directory = memory_copy_string(text_string(&result->directory));
  if (!is_of_specification(&found->programs.items[test->program], result)) return;
  test->verdict = TEST_ERROR;
  text_clear(&test->what);
  text_append_format(&test->what, "the specification %s waits: it must give its result at once", test->function);
}

/* What heddle run said on standard error is the reason why there is no result. */
static void take_words(struct test_case *test, const char *messages) {
  struct text words = {0};
  struct error ignored = {0};
  test->verdict = TEST_ERROR;
  if (files_read(messages, &words, &ignored) && words.length > 0) {
    char *line = words.string;
    line[strcspn(line, "\n")] = 0;
    text_append(&test->what, strncmp(line, "heddle: ", 8) == 0 ? line + 8 : line);
  } else {
    text_append(&test->what, "heddle ended without a result");
  }
  text_free(&words);
}

static void finish(struct tests_found *found, struct test_case *test) {
  struct text contents = {0}, messages = {0};
  struct error ignored = {0};
  struct result result = {0};
  test->process = 0;
  text_append_format(&messages, "%s.errors", test->json);
  if (files_read(test->json, &contents, &ignored)) read_result(&result, &contents);
  if (result.verdict.length > 0)
    take_result(found, test, &result);
  else
    take_words(test, messages.string);
  unlink(test->json);
  text_free(&contents);
  text_free(&messages);
  text_free(&result.verdict);
  text_free(&result.message);
  text_free(&result.kind);
  text_free(&result.function);
  text_free(&result.directory);
  text_free(&result.runs);
  text_free(&result.seconds);
}

/* --- all of them --- */

static void start(const struct tests_found *found, struct test_case *test, const struct test_request *request,
                  size_t number, double seconds) {
  struct text json = {0}, errors = {0};
  text_append_format(&json, "%s/result-%zu.json", found->scratch, number);
  text_append_format(&errors, "%s.errors", json.string);
  test->json = json.string;
  fflush(NULL);
  const pid_t child = fork();
  if (child == 0) {
    const int file = open(errors.string, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (file >= 0) dup2(file, STDERR_FILENO);
    become_exploration(found, test, request, seconds);
  }
  test->process = child;
  text_free(&errors);
}

static struct test_case *next_waiting(struct tests_found *found, size_t *number) {
  for (size_t i = 0; i < found->cases.count; i++) {
    struct test_case *test = &found->cases.items[i];
    if (test->verdict != TEST_WAITS || test->process) continue;
    *number = i;
    return test;
  }
  return NULL;
}

static double least(double a, double b) {
  return a > 0 && (b <= 0 || a < b) ? a : b;
}

static void stop_all(struct tests_found *found) {
  for (size_t i = 0; i < found->cases.count; i++)
    if (found->cases.items[i].process) kill(found->cases.items[i].process, SIGINT);
}

static void collect(struct tests_found *found, unsigned *at_work) {
  int status;
  pid_t ended;
  while ((ended = waitpid(-1, &status, 0)) < 0 && errno == EINTR)
    if (test_interrupted) stop_all(found);
  for (size_t i = 0; i < found->cases.count && ended > 0; i++)
    if (found->cases.items[i].process == ended) {
      finish(found, &found->cases.items[i]);
      --*at_work;
    }
}

void tests_run(struct tests_found *found, const struct test_request *request) {
  const double began = clock_seconds();
  unsigned at_work = 0;
  for (;;) {
    size_t number;
    struct test_case *test = next_waiting(found, &number);
    const double left = request->total_seconds > 0 ? request->total_seconds - (clock_seconds() - began) : 0;
    const bool is_over = test_interrupted || (request->total_seconds > 0 && left <= 0);
    if (test && is_over) {
      test->verdict = TEST_SKIPPED;
      text_append(&test->what, test_interrupted ? "interrupted" : "no time was left");
    } else if (test && at_work < request->jobs) {
      start(found, test, request, number, least(left, request->seconds));
      at_work++;
    } else if (at_work > 0) {
      collect(found, &at_work);
    } else if (!test) {
      return;
    }
  }
}
