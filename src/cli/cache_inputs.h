/* SPDX-License-Identifier: MIT
 *
 * The files that the compiler has read, and those that it would have read instead had they been there. Written as lines
 *
 *     file SHA256 PATH
 *     absent PATH
 *     present PATH      whose existence was asked for
 */
#ifndef HEDDLE_CLI_CACHE_INPUTS_H
#define HEDDLE_CLI_CACHE_INPUTS_H

#include "cli/options.h"

#include <time.h>

/* Appends the lines for what the lists NUMBER.d in `directory` name. False if the executable may depend on more than
 * they say (__DATE__, .incbin), or if one of the files has changed since `start`. */
bool cache_inputs_record(const struct options *options, const char *directory, struct timespec start,
                         struct text *lines);
/* Whether everything is as the lines say; they end with a zero byte. */
bool cache_inputs_hold(const char *lines);

#endif
