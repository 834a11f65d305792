/* SPDX-License-Identifier: MIT
 *
 * For programs whose paths are counted twice: by heddle, and by enumerate.c, which runs the same program with all
 * inputs there are. LEAF says where a run came to. PATH_VALUE is a value that heddle takes as a decision of its own
 * without a branch in the program: an address.
 */
#ifndef TESTS_INPUTS_INPUT_H
#define TESTS_INPUTS_INPUT_H

#include "heddle.h"

#include <stddef.h>

#define LEAF(value) heddle_observe("leaf", (value))

#ifdef ENUMERATE

long long enumerate_value(long long low, long long high);
void enumerate_path_value(long long value);

/* An input of a type that is too wide to enumerate, of which only some values are assumed. */
#define BOUNDED(type, kind, name, low, high) ((type)enumerate_value(low, high))
#define PATH_VALUE(value) enumerate_path_value((long long)(value))

#else

#define BOUNDED(type, kind, name, low, high)                                                                           \
  ({                                                                                                                   \
    const type bounded = heddle_input_##kind(name);                                                                    \
    heddle_assume((bounded >= (low)) & (bounded <= (high)));                                                           \
    bounded;                                                                                                           \
  })
#define PATH_VALUE(value) ((void)0)

#endif

#endif
