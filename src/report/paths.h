/* SPDX-License-Identifier: MIT
 *
 * Names of files in reports that leave this machine: relative to the working directory, and without a directory where
 * they lie elsewhere, unless absolute paths are asked for.
 */
#ifndef HEDDLE_REPORT_PATHS_H
#define HEDDLE_REPORT_PATHS_H

#include "base/text.h"

#include <stdbool.h>

struct paths {
  bool absolute;
};

void paths_append(struct text *text, const struct paths *paths, const char *file);
/* A sentence in which names of files may occur. */
void paths_append_words(struct text *text, const struct paths *paths, const char *words);

#endif
