/* SPDX-License-Identifier: MIT
 *
 * A bug directory: everything needed to repeat one finding.
 *
 *     program        the executable
 *     schedule       text: protocol, hash of the program, seed, arguments, ..., then one line "thread alternative" per
 * step knowledge      text: names of threads, and the shared locations the run started with trace          the run as
 * the executor recorded it (struct trace) finding.json   the bug as in the JSON report output         what the program
 * printed
 */
#ifndef HEDDLE_REPORT_BUNDLE_H
#define HEDDLE_REPORT_BUNDLE_H

#include "explore/findings.h"

struct bundle {
  char *directory, *program;
  struct finding *finding;
  uint32_t max_events, max_memory_mb, hang_seconds, isolation, options;
  uint64_t program_hash;
  VECTOR(char *) arguments; /* ends with NULL */
};

/* Removes the bug directories an earlier run of heddle left below `directory`. */
void bundle_remove_old(const char *directory);
/* Reads a bug directory, and checks that it is whole, of this protocol, and belongs to its program. */
bool bundle_read(struct bundle *bundle, const char *directory, struct error *error);
void bundle_free(struct bundle *bundle);

#endif
