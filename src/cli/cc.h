/* SPDX-License-Identifier: MIT
 *
 * Building executors from C, for other commands.
 */
#ifndef HEDDLE_CLI_CC_H
#define HEDDLE_CLI_CC_H

#include "base/error.h"

#include <stddef.h>

/* Builds the executable `output` from C files and flags as for cc, with -O2 unless the flags say otherwise. What clang
 * has to say goes to standard error, and the error then says no more than that it failed. In the directory `lists`, if
 * there is one, NUMBER.d says for the C source of that number (0, 1, ...) which files the compiler has read, as a make
 * rule. */
bool cc_build(const char *const *arguments, size_t count, const char *output, const char *lists, struct error *error);

#endif
