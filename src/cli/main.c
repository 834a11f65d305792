/* SPDX-License-Identifier: MIT
 *
 * The main function of heddle: finds the command and calls it.
 */
#include "abi/channel.h"
#include "base/version.h"
#include "cli/commands.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const struct command {
  const char *name;
  int (*main)(int argc, char **argv);
  const char *usage, *help;
} commands[] = {
    {"run", run_main, "run [options] FILE... [-- arguments]", "explore a program's schedules"},
    {"test", test_main, "test [options] [DIR|FILES]", "explore every test of a project, and print a table"},
    {"cc", cc_main, "cc ...", "compile and link like cc, for heddle"},
    {"c++", cxx_main, "c++ ...", "compile and link like c++, for heddle"},
    {"replay", replay_main, "replay [--gdb] [--trace-from STEP] BUG", "repeat a bug that was found"},
    {"replay", replay_main, "replay --inputs FILE PROGRAM", "run a program once with given inputs"},
    {"replay", replay_main, "replay --sequence FILE PROGRAM",
     "check whether the program allows a sequence of synchronisations"},
    {"show", show_main, "show [--full] BUG", "print the run of a bug, one column per thread"},
    {"report", report_main, "report BUG --html FILE", "write a page about a bug"},
    {"explain", explain_main, "explain [KIND]", "say what a kind of finding means, and how it is repaired"},
    {"query", query_main, "query UNFOLDING.json EXPRESSION", "check whether the program can reach a state"},
    {"doctor", doctor_main, "doctor", "say what heddle lacks on this machine"},
    {"completion", completion_main, "completion bash|zsh|fish", "print a script that completes words for the shell"},
    {"bench", bench_main, "bench [NAME [options]]", "measure, and print a table of results"},
};

#define N_COMMANDS (sizeof commands / sizeof *commands)

const char *command_name(size_t i) {
  return i < N_COMMANDS ? commands[i].name : NULL;
}

const char *command_help(size_t i) {
  return commands[i].help;
}

static void print_help(FILE *stream) {
  fputs("heddle tests multithreaded C and C++ programs systematically.\n\n", stream);
  for (size_t i = 0; i < N_COMMANDS; i++) fprintf(stream, "  heddle %-42s %s\n", commands[i].usage, commands[i].help);
  fputs("\n'heddle run --help' lists the options.\n", stream);
}

/* Descriptors 0 to 2 that are closed would become those of the first files that are opened, which standard output and
 * the like would then go to. What stands in for them cannot be read or written. */
static void occupy_standard_descriptors(void) {
  for (int i = STDIN_FILENO; i <= STDERR_FILENO; i++)
    if (fcntl(i, F_GETFD) < 0 && open("/dev/null", i == STDIN_FILENO ? O_WRONLY : O_RDONLY) != i) _exit(2);
}

/* Of a pipe or socket: it has had enough, which is no failure. */
static bool reader_went_away(void) {
  struct pollfd output = {.fd = STDOUT_FILENO};
  return poll(&output, 1, 0) > 0 && output.revents & POLLERR;
}

/* A report that nobody can read is no success. */
static int with_output_written(int status) {
  const bool failed = fflush(stdout) != 0 || ferror(stdout);
  if (!failed || reader_went_away()) return status;
  fputs("heddle: standard output could not be written (closed, or no space left)\n", stderr);
  return 2;
}

static const struct command *command_named(const char *name) {
  for (size_t i = 0; i < N_COMMANDS; i++)
    if (strcmp(name, commands[i].name) == 0) return &commands[i];
  return NULL;
}

/* heddle-cc is heddle cc, as one word: build systems want compilers that are. */
static const struct command *command_of_program(const char *path) {
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  return strncmp(name, "heddle-", 7) == 0 ? command_named(name + 7) : NULL;
}

static int perform(int argc, char **argv) {
  const struct command *command = argc > 0 ? command_of_program(argv[0]) : NULL;
  if (command) return command->main(argc, argv);
  if (argc < 2) {
    print_help(stderr);
    return 2;
  }
  if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0) {
    print_help(stdout);
    return 0;
  }
  if (strcmp(argv[1], "--version") == 0) {
    printf("heddle %s (protocol %u)\n", HEDDLE_VERSION, HEDDLE_PROTOCOL_VERSION);
    return 0;
  }
  command = command_named(argv[1]);
  if (command) return command->main(argc - 1, argv + 1);
  fprintf(stderr, "heddle: unknown command %s: see 'heddle --help'\n", argv[1]);
  return 2;
}

int main(int argc, char **argv) {
  /* A reader that goes away ends the output, not the exploration; writes then fail and are dropped. */
  signal(SIGPIPE, SIG_IGN);
  occupy_standard_descriptors();
  if (access("/proc/self/exe", F_OK) < 0) {
    fputs("heddle: /proc is not there, which heddle needs: mount -t proc proc /proc\n", stderr);
    return 2;
  }
  return with_output_written(perform(argc, argv));
}
