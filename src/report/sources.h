/* SPDX-License-Identifier: MIT
 *
 * Lines of source files, for reports. A file that is not there gives no lines.
 */
#ifndef HEDDLE_REPORT_SOURCES_H
#define HEDDLE_REPORT_SOURCES_H

#include "base/memory.h"
#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

struct source_file {
  char *name;
  struct text contents; /* empty: not readable */
};

struct sources {
  VECTOR(struct source_file) files; /* read so far */
  int64_t built_at;                 /* seconds; a source that is newer may say something else */
  bool changed;                     /* such a source was read */
};

void sources_free(struct sources *sources);
/* Appends the line, counted from 1, without blanks at its ends; nothing when there is none. */
void sources_append_line(struct sources *sources, struct text *text, const char *file, uint32_t line);

#endif
