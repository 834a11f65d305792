/* SPDX-License-Identifier: MIT
 *
 * The compiler works in a child process: what it allocates does not stay with an exploration that may take long, and is
 * not counted as memory of the exploration.
 */
#include "cli/build.h"

#include "base/files.h"
#include "cli/cc.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static bool check_files(const struct options *options, struct error *error) {
  if (options->files.count == 0) return error_set(error, "no program given: heddle run [options] FILE.c...");
  for (size_t i = 0; i < options->files.count; i++) {
    struct stat status;
    if (stat(options->files.items[i], &status) < 0)
      return error_set(error, "no such file: %s", options->files.items[i]);
    if (S_ISDIR(status.st_mode)) return error_set(error, "%s is a directory: give C files", options->files.items[i]);
  }
  return true;
}

static bool is_executable(const char *path) {
  Elf64_Ehdr header;
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  const bool whole = read(file, &header, sizeof header) == (ssize_t)sizeof header;
  close(file);
  if (!whole || memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return false;
  return (header.e_type == ET_EXEC || header.e_type == ET_DYN) && access(path, X_OK) == 0;
}

static int answer_end; /* of the child's pipe */

static void answer(const char *message) {
  const ssize_t written = write(answer_end, message, strlen(message));
  if (written <= 0) _exit(3);
}

static _Noreturn void compile(const struct options *options, const char *output, int answer_to) {
  struct error error = {0};
  answer_end = answer_to;
  memory_when_exhausted(answer);
  if (cc_build(options->compile.items, options->compile.count, output, &error)) _exit(0);
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
static pid_t start_compiler(const struct options *options, const char *output, int answer) {
  sigset_t all, before;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, &before);
  const pid_t child = fork();
  if (child > 0) setpgid(child, child);
  if (child > 0) compiler = child;
  if (child == 0) setpgid(0, 0);
  sigprocmask(SIG_SETMASK, &before, NULL);
  if (child == 0) compile(options, output, answer);
  return child;
}

static bool compile_in_child(const struct options *options, const char *output, struct error *error) {
  int answer[2];
  if (pipe2(answer, O_CLOEXEC) < 0) return error_set_errno(error, "cannot start the compiler");
  fflush(NULL);
  const pid_t child = start_compiler(options, output, answer[1]);
  close(answer[1]);
  const bool built =
      child < 0 ? error_set_errno(error, "cannot start the compiler") : wait_for_compiler(child, answer[0], error);
  compiler = 0;
  close(answer[0]);
  return built;
}

/* "dir/bank.c" -> "bank": the same in every run, whatever the temporary directory is called. */
static char *program_name(const char *file) {
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
  if (options->files.count == 1 && is_executable(first)) {
    build->executable = memory_copy_string(first);
    build->name = memory_copy_string(first);
    return true;
  }
  if (!files_make_temporary_directory(&build->directory, error)) return false;
  build->name = program_name(first);
  build->executable = files_join(build->directory, "program");
  if (compile_in_child(options, build->executable, error)) return true;
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
