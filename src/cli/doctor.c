/* SPDX-License-Identifier: MIT
 *
 * heddle doctor: what heddle needs, what of it this machine lacks, and the command that helps. In the end it does what
 * it is for: it finds the bug of a small program. Exit status: 0 heddle works here, 2 it does not.
 */
#include "base/files.h"
#include "base/version.h"
#include "cli/commands.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/resource.h>
#include <unistd.h>

enum need { REQUIRED, OPTIONAL };

static bool all_good = true;

static void say(bool good, enum need need, const char *what, const char *help) {
  printf("%-8s %s%s%s\n",
         good               ? "ok"
         : need == REQUIRED ? "MISSING"
                            : "without",
         what, good ? "" : ": ", good ? "" : help);
  if (!good && need == REQUIRED) all_good = false;
}

/* --- programs and files --- */

static bool is_in_path(const char *name) {
  const char *path = getenv("PATH");
  while (path && *path) {
    char file[PATH_MAX];
    const int length = (int)strcspn(path, ":");
    snprintf(file, sizeof file, "%.*s/%s", length, path, name);
    if (access(file, X_OK) == 0) return true;
    path += length + (path[length] != 0);
  }
  return false;
}

static void check_programs(void) {
  static const struct {
    const char *name, *what, *help;
    enum need need;
  } programs[] = {
      {"clang-19", "clang-19, which compiles programs", "apt-get install clang-19", REQUIRED},
      {"ld", "ld, which links them", "apt-get install binutils", REQUIRED},
      {"gdb", "gdb, for heddle replay --gdb", "apt-get install gdb", OPTIONAL},
      {"dot", "graphviz, for pictures of unfoldings", "apt-get install graphviz", OPTIONAL},
      {"genhtml", "lcov, for pages of --coverage", "apt-get install lcov", OPTIONAL},
  };
  for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
    say(is_in_path(programs[i].name), programs[i].need, programs[i].what, programs[i].help);
}

static void check_own_files(void) {
  static const char *const names[] = {"heddle-instrument", "libheddle-rt.a", "heddle-hooks.bc", "include/heddle.h"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char *path = files_of_heddle(names[i]);
    struct text what = {0};
    text_append_format(&what, "heddle's own %s", names[i]);
    say(files_exists(path), REQUIRED, text_string(&what), "install heddle again (make install, or the package)");
    text_free(&what);
    free(path);
  }
}

/* --- the machine --- */

static void check_machine(void) {
  struct rlimit limit;
  const bool is_limited = getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
  say(!is_limited, REQUIRED, "address space without a limit", "ulimit -v unlimited");
  const int before = personality(0xffffffff);
  const bool can_fix = before >= 0 && personality((unsigned long)before | ADDR_NO_RANDOMIZE) >= 0;
  if (can_fix) personality((unsigned long)before);
  say(can_fix, REQUIRED, "fixed addresses (personality ADDR_NO_RANDOMIZE)",
      "allow personality(2) in this container, as with docker run --security-opt seccomp=unconfined");
  say(access("/proc/self/maps", R_OK) == 0, REQUIRED, "/proc", "mount -t proc proc /proc");
  char *directory;
  struct error error = {0};
  const bool can_write = files_make_temporary_directory(&directory, &error);
  say(can_write, REQUIRED, "a place for temporary files", "set TMPDIR to a directory that can be written");
  if (!can_write) return;
  files_remove_tree(directory);
  free(directory);
}

/* --- a small program --- */

static const char small_program[] = "#include <assert.h>\n#include <pthread.h>\nstatic int n;\n"
                                    "static void *add(void *p) { n++; return p; }\n"
                                    "int main(void) {\n  pthread_t t;\n  pthread_create(&t, 0, add, 0);\n  n++;\n"
                                    "  pthread_join(t, 0);\n  assert(n == 2);\n}\n";

static bool finds_bug(const char *directory, struct error *error) {
  char self[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
  char *source = files_join(directory, "small.c"), *bugs = files_join(directory, "bugs");
  char *json = files_join(directory, "result.json");
  struct text result = {0};
  int status = -1;
  self[length > 0 ? length : 0] = 0;
  const char *command[] = {self, "run", "--no-cache", "--json", json, "-o", bugs, source, NULL};
  fflush(stdout);
  const int saved = dup(STDOUT_FILENO), null = open("/dev/null", O_WRONLY | O_CLOEXEC);
  const bool ready = files_write(source, small_program, sizeof small_program - 1, error) && saved >= 0 && null >= 0;
  if (ready) {
    dup2(null, STDOUT_FILENO);
    process_run(command, &status, error);
    dup2(saved, STDOUT_FILENO);
  }
  close(saved);
  close(null);
  const bool found = status == 1 && files_read(json, &result, error) && strstr(result.string, "\"verdict\": \"bug\"");
  text_free(&result);
  free(source);
  free(bugs);
  free(json);
  return found;
}

static void check_small_program(void) {
  char *directory;
  struct error error = {0};
  if (!files_make_temporary_directory(&directory, &error)) return;
  say(finds_bug(directory, &error), REQUIRED, "heddle finds the bug of a small program",
      *error.message ? error.message : "see what it says above");
  files_remove_tree(directory);
  free(directory);
}

int doctor_main(int argc, char **argv) {
  (void)argv;
  if (argc != 1) {
    fputs("heddle: usage: heddle doctor\n", stderr);
    return 2;
  }
  printf("heddle %s\n", HEDDLE_VERSION);
  check_programs();
  check_own_files();
  check_machine();
  if (all_good) check_small_program();
  puts(all_good ? "heddle works on this machine" : "heddle does not work on this machine yet");
  return all_good ? 0 : 2;
}
