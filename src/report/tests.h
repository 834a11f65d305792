/* SPDX-License-Identifier: MIT
 *
 * Test cases for every path that an exploration takes, in a directory.
 */
#ifndef HEDDLE_REPORT_TESTS_H
#define HEDDLE_REPORT_TESTS_H

#include "base/error.h"
#include "base/text.h"
#include "trace/trace.h"

struct tests {
  const char *directory;
  const char *source; /* the first file of the program */
  const char *const *arguments;
  bool ktest; /* KLEE's format as well */
  uint64_t count;
};

/* Makes the directory, removes the test cases an earlier run left there, and writes metadata.xml. */
bool tests_begin(struct tests *tests, struct error *error);
bool tests_add(struct tests *tests, const struct trace_view *trace, struct error *error);

#endif
