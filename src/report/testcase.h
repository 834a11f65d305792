/* SPDX-License-Identifier: MIT
 *
 * Test cases in the XML format of the competition Test-Comp: a directory with metadata.xml and a file per test case,
 * which lists values in the order in which the program asks for them. Inputs of several values, bytes for instance, are
 * written one by one.
 */
#ifndef HEDDLE_REPORT_TESTCASE_H
#define HEDDLE_REPORT_TESTCASE_H

#include "base/error.h"
#include "base/text.h"
#include "trace/trace.h"

void testcase_append(struct text *xml, const struct trace_view *trace);
#define TESTCASE_TIME_BYTES 64
/* When the source was written, or $SOURCE_DATE_EPOCH, as in 1970-01-01T00:00:00Z: not when heddle was run, so that the
 * same input gives the same bytes. */
void testcase_time(char when[TESTCASE_TIME_BYTES], const char *source);
/* `source` is the first file of the program: its name, its SHA-256 and its time of change are told. The environment
 * variable SOURCE_DATE_EPOCH gives another time. */
bool testcase_append_metadata(struct text *xml, const char *source, struct error *error);

#endif
