/* SPDX-License-Identifier: MIT
 *
 * The main function of heddle: finds the command and calls it.
 */
#include "abi/channel.h"
#include "cli/commands.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#define VERSION "0.1.0"

static const struct command {
  const char *name;
  int (*main)(int argc, char **argv);
  const char *usage, *help;
} commands[] = {
    {"run", run_main, "run [options] FILE... [-- arguments]", "explore a program's schedules"},
    {"cc", cc_main, "cc ...", "compile and link like cc, for heddle"},
    {"c++", cxx_main, "c++ ...", "compile and link like c++, for heddle"},
    {"replay", replay_main, "replay [--gdb] [--trace-from STEP] BUG", "repeat a bug that was found"},
    {"replay", replay_main, "replay --inputs FILE PROGRAM", "run a program once with given inputs"},
    {"replay", replay_main, "replay --sequence FILE PROGRAM",
     "check whether the program allows a sequence of synchronisations"},
    {"show", show_main, "show [--full] BUG", "print the run of a bug, one column per thread"},
    {"query", query_main, "query UNFOLDING.json EXPRESSION", "check whether the program can reach a state"},
    {"bench", bench_main, "bench [NAME [options]]", "measure, and print a table of results"},
};

#define N_COMMANDS (sizeof commands / sizeof *commands)

static void print_help(FILE *stream) {
  fputs("heddle tests multithreaded C and C++ programs systematically.\n\n", stream);
  for (size_t i = 0; i < N_COMMANDS; i++) fprintf(stream, "  heddle %-42s %s\n", commands[i].usage, commands[i].help);
  fputs("\n'heddle run --help' lists the options.\n", stream);
}

int main(int argc, char **argv) {
  /* A reader that goes away ends the output, not the exploration; writes then fail and are dropped. */
  signal(SIGPIPE, SIG_IGN);
  if (argc < 2) {
    print_help(stderr);
    return 2;
  }
  if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0) {
    print_help(stdout);
    return 0;
  }
  if (strcmp(argv[1], "--version") == 0) {
    printf("heddle %s (protocol %u)\n", VERSION, HEDDLE_PROTOCOL_VERSION);
    return 0;
  }
  for (size_t i = 0; i < N_COMMANDS; i++)
    if (strcmp(argv[1], commands[i].name) == 0) return commands[i].main(argc - 1, argv + 1);
  fprintf(stderr, "heddle: unknown command %s: see 'heddle --help'\n", argv[1]);
  return 2;
}
