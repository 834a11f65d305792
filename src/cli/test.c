/* SPDX-License-Identifier: MIT
 *
 * heddle test [options] [DIR|FILE]...: finds tests, explores each by itself, prints a table. Exit status: 0 all clean,
 * 1 a bug that is not in the baseline, 2 wrong usage or a test that could not be explored, 3 no bug but not all
 * complete.
 */
#include "cli/test.h"

#include "base/files.h"
#include "cli/commands.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { STATUS_CLEAN, STATUS_BUG, STATUS_USAGE, STATUS_INCOMPLETE };

#define DEFAULT_SECONDS 10

volatile sig_atomic_t test_interrupted;

static void interrupt(int number) {
  (void)number;
  test_interrupted = 1;
}

static int complain(const struct error *error) {
  fprintf(stderr, "heddle: %s\n", error->message);
  return STATUS_USAGE;
}

static int print_help(void) {
  printf("heddle test [options] [DIR|FILE.c|PROGRAM]...\n\n"
         "Explores every test by itself: functions marked HEDDLE_TEST(name) (heddle-test.h), tests of cmocka, test "
         "cases of\n"
         "Check, and programs with a main. In a directory, tests are the files test_*.c and *_test.c; '.' if none is "
         "given.\n\n"
         "  --with WORD               compile every C file with WORD as well: a source, an object, -I..., -l...; may "
         "be repeated\n"
         "  --max-time SECONDS        for each test [%d]\n"
         "  --total-time SECONDS      for all of them\n"
         "  -j N                      explore N tests at a time [as many as processors]\n"
         "  --list                    only print the tests\n"
         "  --changed-since COMMIT    only tests that a change since then can affect (git)\n"
         "  --baseline FILE           findings in FILE are known, and do not count\n"
         "  --write-baseline FILE     write the findings to FILE\n"
         "  --junit FILE              write the results in JUnit's XML\n"
         "  --help                    print this help\n\n"
         "Other options are those of heddle run, as --option=VALUE.\n",
         DEFAULT_SECONDS);
  return 0;
}

/* --- the command line --- */

static bool take_seconds(const char *word, double *seconds, struct error *error) {
  char *end;
  *seconds = strtod(word, &end);
  return (*word && *end == 0 && *seconds > 0 && *seconds < 1e9) ||
         error_set(error, "'%s' is no number of seconds", word);
}

static bool take_jobs(const char *word, unsigned *jobs, struct error *error) {
  char *end;
  const unsigned long number = strtoul(word, &end, 10);
  *jobs = (unsigned)number;
  return (*word && *end == 0 && number > 0 && number <= 1024) ||
         error_set(error, "-j takes a number from 1 to 1024, not '%s'", word);
}

/* The value of an option, which is the rest of its word or the next one. NULL: this is another option. */
static const char *value_of(const char *option, int argc, char **argv, int *i, struct error *error) {
  const size_t length = strlen(option);
  if (strncmp(argv[*i], option, length) != 0) return NULL;
  if (argv[*i][length] == '=') return argv[*i] + length + 1;
  if (argv[*i][length] != 0) return NULL;
  if (*i + 1 < argc) return argv[++*i];
  error_set(error, "%s needs a value", option);
  return NULL;
}

static bool take_word(struct test_request *request, int argc, char **argv, int *i, struct error *error) {
  const char *value;
  if ((value = value_of("--with", argc, argv, i, error)))
    vector_push(&request->with, value);
  else if ((value = value_of("--max-time", argc, argv, i, error)))
    return take_seconds(value, &request->seconds, error);
  else if ((value = value_of("--total-time", argc, argv, i, error)))
    return take_seconds(value, &request->total_seconds, error);
  else if ((value = value_of("-j", argc, argv, i, error)))
    return take_jobs(value, &request->jobs, error);
  else if ((value = value_of("--junit", argc, argv, i, error)))
    request->junit = value;
  else if ((value = value_of("--baseline", argc, argv, i, error)))
    request->baseline = value;
  else if ((value = value_of("--write-baseline", argc, argv, i, error)))
    request->write_baseline = value;
  else if ((value = value_of("--changed-since", argc, argv, i, error)))
    request->changed_since = value;
  else if (*error->message)
    return false;
  else if (strcmp(argv[*i], "--list") == 0)
    request->list = true;
  else if (strncmp(argv[*i], "-I", 2) == 0 || strncmp(argv[*i], "-D", 2) == 0 || strncmp(argv[*i], "-l", 2) == 0)
    vector_push(&request->with, argv[*i]);
  else if (argv[*i][0] == '-')
    vector_push(&request->options, argv[*i]);
  else
    vector_push(&request->places, argv[*i]);
  return true;
}

static bool parse(struct test_request *request, int argc, char **argv, struct error *error) {
  const long processors = sysconf(_SC_NPROCESSORS_ONLN);
  *request = (struct test_request){.seconds = DEFAULT_SECONDS, .jobs = processors > 0 ? (unsigned)processors : 1};
  for (int i = 1; i < argc; i++)
    if (!take_word(request, argc, argv, &i, error)) return false;
  if (request->places.count == 0) vector_push(&request->places, ".");
  if (request->junit && !files_can_write(request->junit, error)) return false;
  if (request->write_baseline && !files_can_write(request->write_baseline, error)) return false;
  return !request->baseline || files_exists(request->baseline) ||
         error_set(error, "no such file: %s: --write-baseline makes a baseline", request->baseline);
}

/* --- all of it --- */

static void list(const struct tests_found *found) {
  for (size_t i = 0; i < found->cases.count; i++) {
    struct text name = {0};
    test_append_name(&name, found, &found->cases.items[i]);
    printf("%s%s\n", text_string(&name), found->cases.items[i].verdict == TEST_ERROR ? " (does not compile)" : "");
    text_free(&name);
  }
}

static int status_of(const struct tests_found *found) {
  bool seen[TEST_SKIPPED + 1] = {0};
  for (size_t i = 0; i < found->cases.count; i++) seen[found->cases.items[i].verdict] = true;
  if (seen[TEST_ERROR]) return STATUS_USAGE;
  if (seen[TEST_BUG]) return STATUS_BUG;
  return seen[TEST_INCOMPLETE] || seen[TEST_SKIPPED] ? STATUS_INCOMPLETE : STATUS_CLEAN;
}

static bool write_results(struct tests_found *found, const struct test_request *request, struct error *error) {
  if (request->baseline && !tests_read_baseline(found, request->baseline, error)) return false;
  if (request->junit && !tests_write_junit(found, request->junit, error)) return false;
  return !request->write_baseline || tests_write_baseline(found, request->write_baseline, error);
}

static void free_found(struct tests_found *found) {
  for (size_t i = 0; i < found->cases.count; i++) {
    struct test_case *test = &found->cases.items[i];
    free(test->name), free(test->argument), free(test->environment), free(test->kind);
    free(test->function), free(test->directory), free(test->json);
    text_free(&test->what);
  }
  for (size_t i = 0; i < found->programs.count; i++) {
    struct test_program *program = &found->programs.items[i];
    for (size_t k = 0; k < program->specifications.count; k++) free(program->specifications.items[k]);
    vector_free(&program->specifications);
    free(program->file), free(program->executable);
  }
  vector_free(&found->cases);
  vector_free(&found->programs);
  if (found->scratch) files_remove_tree(found->scratch);
  free(found->scratch);
}

static int find_and_run(const struct test_request *request) {
  struct tests_found found = {0};
  struct error error = {0};
  int status = STATUS_CLEAN;
  if (!tests_find(&found, request, &error)) {
    status = complain(&error);
  } else if (request->list) {
    list(&found);
  } else if (found.cases.count == 0) {
    puts("no test is affected");
  } else {
    tests_run(&found, request);
    const bool written = write_results(&found, request, &error);
    tests_print(stdout, &found);
    status = written ? status_of(&found) : complain(&error);
  }
  free_found(&found);
  return status;
}

int test_main(int argc, char **argv) {
  struct test_request request;
  struct error error = {0};
  const struct sigaction action = {.sa_handler = interrupt};
  for (int i = 1; i < argc; i++)
    if (strcmp(argv[i], "--help") == 0) return print_help();
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  sigaction(SIGHUP, &action, NULL);
  const int status = parse(&request, argc, argv, &error) ? find_and_run(&request) : complain(&error);
  vector_free(&request.places);
  vector_free(&request.with);
  vector_free(&request.options);
  return status;
}
