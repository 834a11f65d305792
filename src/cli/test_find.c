/* SPDX-License-Identifier: MIT
 *
 * Which tests there are. A C file is built; a program says which tests it has: with heddle-test.h, when it is asked;
 * with cmocka or Check, when it is run once as it is, outside heddle, and prints what it runs. A program that says
 * nothing is one test.
 */
#include "cli/test.h"

#include "base/deadline.h"
#include "base/files.h"
#include "cli/build.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

#define LIST_SECONDS 20

/* --- running a program outside heddle --- */

static void read_until(int end, pid_t pid, struct text *output, double deadline) {
  char buffer[4096];
  struct pollfd wait = {.fd = end, .events = POLLIN};
  while (clock_seconds() < deadline && !test_interrupted) {
    if (poll(&wait, 1, 100) <= 0) continue;
    const ssize_t count = read(end, buffer, sizeof buffer);
    if (count <= 0) return;
    text_append_bytes(output, buffer, (size_t)count);
  }
  kill(pid, SIGKILL);
}

/* What it prints on both streams, in at most LIST_SECONDS. */
static bool capture(const char *const *argv, const char *directory, struct text *output) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) < 0) return false;
  fflush(NULL);
  const pid_t pid = fork();
  if (pid == 0) {
    const int null = open("/dev/null", O_RDONLY);
    dup2(null, STDIN_FILENO);
    dup2(ends[1], STDOUT_FILENO);
    dup2(ends[1], STDERR_FILENO);
    if (chdir(directory) == 0) execvp(argv[0], (char *const *)argv);
    _exit(127);
  }
  close(ends[1]);
  int status = -1;
  if (pid > 0) {
    read_until(ends[0], pid, output, clock_seconds() + LIST_SECONDS);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
  }
  close(ends[0]);
  return pid > 0 && status >= 0;
}

/* --- cases --- */

static struct test_case *add_case(struct tests_found *found, size_t program, const char *name) {
  vector_push(&found->cases, ((struct test_case){.program = program, .name = memory_copy_string(name)}));
  return &found->cases.items[found->cases.count - 1];
}

static void add_error(struct tests_found *found, size_t program, const char *message) {
  struct test_case *test = add_case(found, program, "");
  test->verdict = TEST_ERROR;
  text_append(&test->what, message);
}

static char *joined(const char *first, const char *second) {
  struct text text = {0};
  text_append_format(&text, "%s%s", first, second);
  return text.string;
}

/* The next line of a text that is cut at its lines; NULL after the last. */
static char *next_line(char **rest) {
  char *line = *rest, *end = line ? strchr(line, '\n') : NULL;
  if (!line || !*line) return NULL;
  *rest = end ? end + 1 : NULL;
  if (end) *end = 0;
  return line;
}

/* "test NAME LINE FILE" and "specification FUNCTION", of heddle-test.h. */
static void take_own_list(struct tests_found *found, size_t program, char *output) {
  for (char *line; (line = next_line(&output));) {
    if (strncmp(line, "test ", 5) == 0) {
      line[5 + strcspn(line + 5, " ")] = 0;
      add_case(found, program, line + 5)->argument = memory_copy_string(line + 5);
    } else if (strncmp(line, "specification ", 14) == 0) {
      vector_push(&found->programs.items[program].specifications, memory_copy_string(line + 14));
    }
  }
}

/* cmocka prints "[ RUN      ] name". */
static void take_cmocka(struct tests_found *found, size_t program, char *output) {
  static const char mark[] = "[ RUN      ] ";
  for (char *line; (line = next_line(&output));)
    if (strncmp(line, mark, sizeof mark - 1) == 0)
      add_case(found, program, line + sizeof mark - 1)->environment =
          joined("HEDDLE_TEST_CASE=", line + sizeof mark - 1);
}

static bool has_case(const struct tests_found *found, size_t program, const char *name) {
  for (size_t i = 0; i < found->cases.count; i++)
    if (found->cases.items[i].program == program && strcmp(found->cases.items[i].name, name) == 0) return true;
  return false;
}

/* Check prints "file.c:12:P:Case:test:0: Passed"; it selects whole test cases. */
static void take_check(struct tests_found *found, size_t program, char *output) {
  for (char *line; (line = next_line(&output));) {
    char *fields[5], *at = line;
    size_t count = 0;
    while (count < 5 && at) {
      fields[count++] = at;
      at = strchr(at, ':');
      if (at) *at++ = 0;
    }
    if (count < 5 || strlen(fields[2]) != 1 || !strchr("PFES", *fields[2]) || has_case(found, program, fields[3]))
      continue;
    add_case(found, program, fields[3])->environment = joined("CK_RUN_CASE=", fields[3]);
  }
}

static bool contains(const struct text *contents, const char *name) {
  return contents->length > 0 && memmem(contents->string, contents->length, name, strlen(name) + 1);
}

static void list_cases(struct tests_found *found, size_t program) {
  struct text contents = {0}, output = {0};
  struct error ignored = {0};
  char executable[PATH_MAX];
  const size_t before = found->cases.count;
  if (!realpath(found->programs.items[program].executable, executable) || !files_read(executable, &contents, &ignored))
    return add_error(found, program, "cannot be read");
  const bool own = contains(&contents, "heddle_tests"), cmocka = contains(&contents, "_cmocka_run_group_tests");
  const bool check = contains(&contents, "srunner_run_all");
  if (own) {
    if (capture((const char *const[]){executable, "--list", NULL}, ".", &output))
      take_own_list(found, program, output.string);
  } else if (cmocka) {
    if (capture((const char *const[]){executable, NULL}, found->scratch, &output))
      take_cmocka(found, program, output.string);
  } else if (check) {
    if (capture((const char *const[]){"env", "CK_FORK=no", "CK_VERBOSITY=verbose", executable, NULL}, found->scratch,
                &output))
      take_check(found, program, output.string);
  }
  if (found->cases.count == before) add_case(found, program, "");
  text_free(&contents);
  text_free(&output);
}

/* --- programs --- */

static bool is_source(const char *file) {
  return string_ends_with(file, ".c") || string_ends_with(file, ".cc") || string_ends_with(file, ".cpp") ||
         string_ends_with(file, ".cxx");
}

/* The compiler's own words go to standard error; the case says that it does not compile. */
static bool compile(const struct tests_found *found, const struct test_request *request, struct test_program *program) {
  VECTOR(const char *) words = {0};
  struct text output = {0};
  struct error error = {0};
  int status = 1;
  text_append_format(&output, "%s/%zu", found->scratch, found->programs.count);
  vector_push(&words, "/proc/self/exe");
  vector_push(&words, string_ends_with(program->file, ".c") ? "cc" : "c++");
  vector_push(&words, "-g");
  vector_push(&words, "-o");
  vector_push(&words, output.string);
  vector_push(&words, program->file);
  for (size_t i = 0; i < request->with.count; i++) vector_push(&words, request->with.items[i]);
  vector_push(&words, NULL);
  if (!process_run(words.items, &status, &error)) fprintf(stderr, "heddle: %s\n", error.message);
  if (status == 0) program->executable = output.string;
  if (status != 0) text_free(&output);
  vector_free(&words);
  return status == 0;
}

static void add_program(struct tests_found *found, const struct test_request *request, const char *file) {
  struct test_program program = {.file = memory_copy_string(file)};
  const bool source = is_source(file);
  if (!source) program.executable = memory_copy_string(file);
  const bool built = !source || compile(found, request, &program);
  vector_push(&found->programs, program);
  if (built)
    list_cases(found, found->programs.count - 1);
  else
    add_error(found, found->programs.count - 1, "does not compile");
}

/* --- what changed since a commit: the test file, or what it includes or is compiled with --- */

static bool is_changed(const struct test_request *request, const char *file, const char *changed) {
  VECTOR(const char *) words = {0};
  struct text lists = {0};
  bool found = false;
  if (!is_source(file)) return true; /* nobody knows what it was built from */
  vector_push(&words, "clang-19");
  vector_push(&words, "-MM");
  vector_push(&words, "-w");
  char *headers = files_of_heddle("include");
  vector_push(&words, "-idirafter");
  vector_push(&words, headers);
  vector_push(&words, file);
  for (size_t i = 0; i < request->with.count; i++) vector_push(&words, request->with.items[i]);
  vector_push(&words, NULL);
  capture(words.items, ".", &lists);
  for (char *rest = lists.string, *word; (word = strtok_r(rest, " \\\n", &rest)) && !found;) {
    char full[PATH_MAX];
    if (!realpath(word, full)) continue;
    const char *at = changed;
    const size_t length = strlen(full);
    while ((at = strstr(at, full)) && !found) {
      found = (at == changed || at[-1] == '\n') && at[length] == '\n';
      at += length;
    }
  }
  free(headers);
  text_free(&lists);
  vector_free(&words);
  return found;
}

/* Absolute paths, a line each. */
static bool list_changed(const char *commit, struct text *changed, struct error *error) {
  struct text top = {0}, names = {0};
  const bool good = capture((const char *const[]){"git", "rev-parse", "--show-toplevel", NULL}, ".", &top) &&
                    top.length > 1 && *top.string == '/' &&
                    capture((const char *const[]){"git", "diff", "--name-only", commit, "--", NULL}, ".", &names) &&
                    !(names.length > 0 && strncmp(names.string, "fatal:", 6) == 0);
  if (good) {
    top.string[strcspn(top.string, "\n")] = 0;
    char *rest = names.string;
    for (char *line; (line = next_line(&rest));) text_append_format(changed, "%s/%s\n", top.string, line);
  }
  text_free(&top);
  text_free(&names);
  return good || error_set(error, "--changed-since %s: git does not know that commit here", commit);
}

/* --- files --- */

typedef VECTOR(char *) name_list;

static bool is_test_name(const char *name) {
  static const char *const ends[] = {"_test.c", "-test.c", "_tests.c", "_test.cc", "_test.cpp"};
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
    if (string_ends_with(name, ends[i])) return true;
  return (strncmp(name, "test_", 5) == 0 || strncmp(name, "test-", 5) == 0) && is_source(name);
}

static int compare_names(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

static void list_directory(name_list *files, const char *directory) {
  DIR *entries = opendir(directory);
  name_list names = {0};
  if (!entries) return;
  for (const struct dirent *entry; (entry = readdir(entries));)
    if (entry->d_name[0] != '.') vector_push(&names, memory_copy_string(entry->d_name));
  closedir(entries);
  if (names.count > 0) qsort(names.items, names.count, sizeof *names.items, compare_names);
  for (size_t i = 0; i < names.count; i++) {
    struct stat status;
    char *path =
        strcmp(directory, ".") == 0 ? memory_copy_string(names.items[i]) : files_join(directory, names.items[i]);
    if (lstat(path, &status) == 0 && S_ISDIR(status.st_mode))
      list_directory(files, path);
    else if (is_test_name(names.items[i]))
      vector_push(files, memory_copy_string(path));
    free(path);
    free(names.items[i]);
  }
  vector_free(&names);
}

static bool list_files(name_list *files, const struct test_request *request, struct error *error) {
  for (size_t i = 0; i < request->places.count; i++) {
    const char *place = request->places.items[i];
    struct stat status;
    if (stat(place, &status) < 0) return error_set(error, "no such file: %s", place);
    if (S_ISDIR(status.st_mode))
      list_directory(files, place);
    else if (is_source(place) || build_is_program(place))
      vector_push(files, memory_copy_string(place));
    else
      return error_set(error, "%s is neither C nor a program", place);
  }
  return files->count > 0 ||
         error_set(error, "no tests found: tests are in files called test_*.c or *_test.c, or in files that you name");
}

bool tests_find(struct tests_found *found, const struct test_request *request, struct error *error) {
  name_list files = {0};
  struct text changed = {0};
  bool good = list_files(&files, request, error) && files_make_temporary_directory(&found->scratch, error) &&
              (!request->changed_since || list_changed(request->changed_since, &changed, error));
  for (size_t i = 0; i < files.count; i++) {
    if (good && !test_interrupted &&
        (!request->changed_since || is_changed(request, files.items[i], text_string(&changed))))
      add_program(found, request, files.items[i]);
    free(files.items[i]);
  }
  vector_free(&files);
  text_free(&changed);
  return good;
}
