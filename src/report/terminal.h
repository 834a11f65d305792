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
/* The run as a table: one column per thread, one line per event. */
void table_print(FILE *stream, const struct scene *scene);

#endif
