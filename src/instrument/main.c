/* SPDX-License-Identifier: MIT
 *
 * heddle-instrument: the program that `heddle cc` runs for every translation unit. It is not for people.
 *
 *     heddle-instrument SOURCE BITCODE HOOKS OBJECT LEVEL [function-sections] [data-sections]
 *                       [line-coverage] [variables] [follow] [assembly FILE]
 *
 * SOURCE is only named in messages.
 */
#include "instrument/instrument.h"

#include <stdio.h>
#include <string.h>

enum { SOURCE = 1, BITCODE, HOOKS, OBJECT, LEVEL, FIRST_WORD };

int main(int argc, char **argv) {
  if (argc < FIRST_WORD) {
    fputs("heddle-instrument: started by 'heddle cc'\n", stderr);
    return 2;
  }
  struct instrument_options options = {.source = argv[SOURCE],
                                       .bitcode = argv[BITCODE],
                                       .hooks = argv[HOOKS],
                                       .object = argv[OBJECT],
                                       .optimisation = argv[LEVEL]};
  for (int i = FIRST_WORD; i < argc; i++) {
    if (strcmp(argv[i], "function-sections") == 0) options.function_sections = true;
    if (strcmp(argv[i], "data-sections") == 0) options.data_sections = true;
    if (strcmp(argv[i], "variables") == 0) options.variables = true;
    if (strcmp(argv[i], "follow") == 0) options.follow = true;
    if (strcmp(argv[i], "line-coverage") == 0) options.line_coverage = true;
    if (strcmp(argv[i], "assembly") == 0 && i + 1 < argc) options.assembly = argv[++i];
  }
  struct error error = {0};
  if (instrument_module(&options, &error)) return 0;
  fprintf(stderr, "heddle cc: %s: %s\n", argv[SOURCE], error.message);
  return 1;
}
