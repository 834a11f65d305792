/* SPDX-License-Identifier: MIT
 *
 * KLEE's files of test cases. Numbers have four bytes, the highest first:
 *
 *     "KTEST", version 3
 *     number of arguments; each: length, bytes           the command line
 *     number and length of symbolic arguments            (from version 2 on; 0 here: they are objects like others)
 *     number of objects; each: length of name, name, length, bytes
 */
#ifndef HEDDLE_REPORT_KTEST_H
#define HEDDLE_REPORT_KTEST_H

#include "base/text.h"
#include "trace/trace.h"

/* The inputs of a run, with the program's command line (ends with NULL). */
void ktest_append(struct text *file, const char *const *arguments, const struct trace_view *trace);

#endif
