/* SPDX-License-Identifier: MIT
 *
 * The options of `heddle run`, parsed by the table options.def.
 */
#ifndef HEDDLE_CLI_OPTIONS_H
#define HEDDLE_CLI_OPTIONS_H

#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "explore/strategy/options.h"

#include <stdint.h>
#include <stdio.h>

enum option {
#define OPTION(name, ...) OPTION_##name,
#include "cli/options.def"
#undef OPTION
  OPTIONS
};

struct options {
  struct option_value values[OPTIONS];
  VECTOR(const char *) compile; /* files and flags as for cc, in order */
  VECTOR(const char *) files;   /* the files among them */
  char **arguments;             /* of the program: what follows --, ends with NULL */
};

/* Strings stay in argv. */
bool options_parse(struct options *options, int argc, char **argv, struct error *error);
void options_free(struct options *options);
/* The values by name, as strategies ask for them. */
struct option_source options_source(const struct options *options);
void options_print_help(FILE *stream);
/* One option: as it is written, "--json"; its argument, "" = none; what it is for. */
const char *option_word(enum option option);
const char *option_argument(enum option option);
const char *option_help(enum option option);
/* Appends what says which exploration this is: a line for each option that decides what is explored, as it is in force.
 */
void options_append_identity(const struct options *options, struct text *text);

#endif
