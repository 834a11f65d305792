/* SPDX-License-Identifier: MIT
 *
 * Functions that heddle replaces (abi/intercepts.def) and that a program defines itself: its own win, in all its files.
 *
 * Instrumented code calls __wrap_f or __heddle_call_f where the program says f, as the function may be defined in
 * another file. Only the link sees all of them.
 */
#ifndef HEDDLE_CLI_OWN_NAMES_H
#define HEDDLE_CLI_OWN_NAMES_H

#include "base/memory.h"

typedef VECTOR(char *) word_list;

/* Adds the linker's words that make the program's own functions be called, as far as this object or archive defines
 * some. A file that is neither has none. */
void own_names_add_words(const char *path, word_list *words);

#endif
