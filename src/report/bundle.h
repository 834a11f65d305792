/* SPDX-License-Identifier: MIT
 *
 * A bug directory: everything needed to repeat one finding.
 *
 *     program        the executable
 *     plan           the plan that repeats the run: a record of abi/channel.h (struct plan)
 *     schedule       text: protocol, hash of the program, arguments, ...; and for people what the plan says: seed,
 * policy, one line "thread alternative" a step knowledge      text: names of threads, and the shared locations the run
 * started with trace          the run as the executor recorded it: a record of abi/channel.h (struct trace) inputs.json
 * the inputs of the run, in the format of `heddle replay --inputs`; not without inputs testcase.xml   the same as a
 * test case of Test-Comp finding.json   the bug as in the JSON report output         what the program printed
 *
 * `heddle replay` performs the plan. A schedule that says something else is refused: editing it changes nothing.
 *
 * A run that `heddle query` found is kept in the same way; it has a file `state` (query/state.h), and finding.json only
 * if it failed as well.
 */
#ifndef HEDDLE_REPORT_BUNDLE_H
#define HEDDLE_REPORT_BUNDLE_H

#include "explore/loop/findings.h"
#include "report/environment.h"

struct bundle {
  char *directory, *program;
  struct finding *finding;
  uint32_t max_events, max_memory_mb, max_threads, hang_seconds, isolation, options;
  uint32_t max_terms, symbolic_arguments, symbolic_argument_bytes, symbolic_stdin_bytes;
  uint64_t program_hash;
  VECTOR(char *) arguments;     /* ends with NULL */
  environment_list environment; /* that the run had, of what the program may ask for */
};

struct report;
/* Of the report only the program and how it is run. */
bool bundle_write(const struct report *report, const char *directory, const struct finding *finding,
                  struct error *error);
/* Reads a bug directory, and checks that it is whole, of this protocol, and belongs to its program. */
bool bundle_read(struct bundle *bundle, const char *directory, struct error *error);
void bundle_free(struct bundle *bundle);

#endif
