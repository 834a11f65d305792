/* SPDX-License-Identifier: MIT
 *
 * Pieces of the terminal's report that commands print by themselves.
 */
#ifndef HEDDLE_REPORT_TERMINAL_H
#define HEDDLE_REPORT_TERMINAL_H

#include "report/describe.h"

#include <stdio.h>

/* The failure, then where it happened and in which threads. */
void terminal_print_failure(FILE *stream, const struct scene *scene);
/* That time is virtual, of a run in which it mattered. */
void terminal_print_time(FILE *stream, const struct trace *record);
/* The commands that go on from a bug directory; NULL prints nothing. */
void terminal_print_commands(FILE *stream, const char *directory);
struct table_settings {
  bool full;          /* nothing is left out */
  uint64_t from_step; /* what comes before is left out */
  size_t width;       /* of a line; 0: TABLE_WIDTH */
  bool colours;
  int64_t built_at; /* when the program was, in seconds: newer sources are not what ran; 0: do not look */
};

#define TABLE_WIDTH 120

/* As wide as the terminal that the stream is, in colours if it is one that wants them. */
struct table_settings table_settings_for(FILE *stream);
/* The run as a table: one column per thread, one line per event, with its source. */
void table_print(FILE *stream, const struct scene *scene, const struct table_settings *settings);

#endif
