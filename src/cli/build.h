/* SPDX-License-Identifier: MIT
 *
 * From what the user names to an executable that heddle can run.
 */
#ifndef HEDDLE_CLI_BUILD_H
#define HEDDLE_CLI_BUILD_H

#include "cli/options.h"

struct build {
  char *directory; /* temporary, NULL when nothing was built */
  char *executable;
  char *name; /* what the program finds in argv[0] */
};

/* One executable is taken as it is; everything else is compiled. */
bool build_program(struct build *build, const struct options *options, struct error *error);
/* From a signal handler: the compiler that build_program waits for ends soon, and building fails. */
void build_interrupt(void);
bool build_is_program(const char *path); /* an executable of this machine, whoever built it */
/* "dir/bank.c" -> "bank"; the caller frees it. */
char *build_short_name(const char *file);
/* Removes what was built. */
void build_free(struct build *build);

#endif
