/* SPDX-License-Identifier: MIT
 *
 * The compiler works in a child process: what it allocates does not stay with an exploration that may take long, and is
 * not counted as memory of the exploration. If what it makes is to be kept for the next time (cache.h), what it has to
 * say is printed when it has ended, and nothing is kept of a compiler that had something to say: it would not be said
 * again.
 */
#include "cli/build.h"

#include "base/files.h"
#include "cli/cache.h"
#include "cli/cc.h"
#include "cli/cc_arguments.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static bool check_files(const struct options *options, struct error *error) {
  if (options->files.count == 0) return error_set(error, "no program given: heddle run [options] FILE...");
  for (size_t i = 0; i < options->files.count; i++) {
    struct stat status;
    if (stat(options->files.items[i], &status) < 0)
      return error_set(error, "no such file: %s", options->files.items[i]);
    if (S_ISDIR(status.st_mode))
      return error_set(error, "%s is a directory: give C or C++ files", options->files.items[i]);
  }
  return true;
}

bool build_is_program(const char *path) {
  Elf64_Ehdr header;
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  const bool whole = read(file, &header, sizeof header) == (ssize_t)sizeof header;
  close(file);
  if (!whole || memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return false;
  return (header.e_type == ET_EXEC || header.e_type == ET_DYN) && access(path, X_OK) == 0;
}

/* --- scripts: libtool puts one in the place of a program whose libraries are not installed yet --- */

#define LIBTOOL_MARK "enerated by libtool"

static bool is_script(const char *path, struct text *contents) {
  struct error ignored = {0};
  return access(path, X_OK) == 0 && files_read(path, contents, &ignored) && contents->length > 2 &&
         memcmp(contents->string, "#!", 2) == 0;
}

/* The program behind libtool's script DIR/NAME: DIR/.libs/lt-NAME, once the script has run, or DIR/.libs/NAME. */
static char *program_of_libtool(const char *script) {
  static const char *const prefixes[] = {".libs/lt-", ".libs/"};
  const char *slash = strrchr(script, '/'), *name = slash ? slash + 1 : script;
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
    struct text path = {0};
    text_append_bytes(&path, script, (size_t)(name - script));
    text_append_format(&path, "%s%s", prefixes[i], name);
    if (build_is_program(path.string)) return path.string;
    text_free(&path);
  }
  return NULL;
}

/* NULL: no script, or one with nothing behind it, which is an error. */
static char *program_of_script(const char *file, struct error *error) {
  struct text contents = {0};
  char *program = NULL;
  if (is_script(file, &contents)) {
    if (strstr(contents.string, LIBTOOL_MARK)) program = program_of_libtool(file);
    if (!program)
      error_set(error, "%s is a script: give the program that it starts, built with 'heddle cc', or C files", file);
  }
  text_free(&contents);
  return program;
}

struct build_job {
  const struct options *options;
  const char *output;
  const char *lists,
      *messages; /* a directory for what the compiler reads, a file for what it says; NULL = not wanted */
};

static int answer_end; /* of the child's pipe */

static void answer(const char *message) {
  const ssize_t written = write(answer_end, message, strlen(message));
  if (written <= 0) _exit(3);
}

/* Makes standard error a file; clang would use no colours then. */
static void redirect_messages(const char *path, string_list *words) {
  const bool colours = isatty(STDERR_FILENO);
  const int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0) return;
  dup2(file, STDERR_FILENO);
  close(file);
  if (colours) vector_push(words, "-fcolor-diagnostics");
}

static _Noreturn void compile(const struct build_job *job, int answer_to) {
  struct error error = {0};
  string_list words = {0};
  answer_end = answer_to;
  memory_when_exhausted(answer);
  if (job->messages) redirect_messages(job->messages, &words);
  for (size_t i = 0; i < job->options->compile.count; i++) vector_push(&words, job->options->compile.items[i]);
  if (cc_build(words.items, words.count, job->output, job->lists, &error)) _exit(0);
  answer(error.message);
  _exit(2);
}

/* The process group of the compiler at work, 0: none. */
static volatile sig_atomic_t compiler;

/* It removes what it has written so far, and ends. */
void build_interrupt(void) {
  if (compiler) kill(-(pid_t)compiler, SIGTERM);
}

static bool wait_for_compiler(pid_t child, int answer, struct error *error) {
  char message[sizeof error->message] = "the compiler crashed";
  ssize_t count;
  while ((count = read(answer, message, sizeof message - 1)) < 0 && errno == EINTR) continue;
  if (count > 0) message[count] = 0;
  int status;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return error_set_errno(error, "cannot wait for the compiler");
  return (WIFEXITED(status) && WEXITSTATUS(status) == 0) || error_set(error, "%s", message);
}

/* In a group of its own, so that all that it starts ends with it. No signal comes before we know which group that is.
 */
static pid_t start_compiler(const struct build_job *job, int answer) {
  sigset_t all, before;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, &before);
  const pid_t child = fork();
  if (child > 0) setpgid(child, child);
  if (child > 0) compiler = child;
  if (child == 0) setpgid(0, 0);
  sigprocmask(SIG_SETMASK, &before, NULL);
  if (child == 0) compile(job, answer);
  return child;
}

static bool compile_in_child(const struct build_job *job, struct error *error) {
  int answer[2];
  if (pipe2(answer, O_CLOEXEC) < 0) return error_set_errno(error, "cannot start the compiler");
  fflush(NULL);
  const pid_t child = start_compiler(job, answer[1]);
  close(answer[1]);
  const bool built =
      child < 0 ? error_set_errno(error, "cannot start the compiler") : wait_for_compiler(child, answer[0], error);
  compiler = 0;
  close(answer[0]);
  return built;
}

/* Prints what the compiler has said; false if that was nothing. */
static bool print_messages(const char *path) {
  struct text messages = {0};
  const bool some = files_read(path, &messages, &(struct error){0}) && messages.length;
  fputs(text_string(&messages), stderr);
  text_free(&messages);
  return some;
}

static bool compile_and_keep(const struct options *options, const struct build *build, struct cache *cache,
                             struct error *error) {
  char *messages = files_join(build->directory, "messages");
  const struct build_job job = {options, build->executable, build->directory, messages};
  const bool built = compile_in_child(&job, error);
  if (!print_messages(messages) && built) cache_keep(cache, build->executable, build->directory);
  free(messages);
  return built;
}

static bool take_or_compile(const struct options *options, const struct build *build, struct error *error) {
  struct cache *cache = cache_open(options);
  if (!cache) return compile_in_child(&(struct build_job){options, build->executable, NULL, NULL}, error);
  const bool built = cache_take(cache, build->executable) || compile_and_keep(options, build, cache, error);
  cache_close(cache);
  return built;
}

char *build_short_name(const char *file) {
  const char *slash = strrchr(file, '/');
  char *name = memory_copy_string(slash ? slash + 1 : file);
  char *dot = strrchr(name, '.');
  if (dot && dot != name) *dot = 0;
  return name;
}

bool build_program(struct build *build, const struct options *options, struct error *error) {
  *build = (struct build){0};
  if (!check_files(options, error)) return false;
  const char *first = options->files.items[0];
  if (options->files.count == 1 && build_is_program(first)) {
    build->executable = memory_copy_string(first);
    build->name = memory_copy_string(first);
    return true;
  }
  if (options->files.count == 1 && (build->executable = program_of_script(first, error))) {
    build->name = memory_copy_string(first);
    return true;
  }
  if (*error->message) return false;
  if (!files_make_temporary_directory(&build->directory, error)) return false;
  build->name = build_short_name(first);
  build->executable = files_join(build->directory, "program");
  if (take_or_compile(options, build, error)) return true;
  build_free(build);
  return false;
}

void build_free(struct build *build) {
  if (build->directory) files_remove_tree(build->directory);
  free(build->directory);
  free(build->executable);
  free(build->name);
  *build = (struct build){0};
}
