/* SPDX-License-Identifier: MIT
 *
 * The observers of an exploration: a terminal, a JSON file, and the directories that bugs are kept in.
 */
#ifndef HEDDLE_REPORT_REPORT_H
#define HEDDLE_REPORT_REPORT_H

#include "explore/loop/observer.h"
#include "report/bundle_place.h"
#include "report/describe.h"
#include "report/paths.h"
#include "report/tests.h"

#include <stdio.h>

/* What every report needs besides what the exploration tells it. */
struct report {
  const struct program *program;
  const struct executor_settings *executor;   /* how the program is run */
  struct bundle_place place;                  /* where bugs are kept */
  FILE *stream;                               /* the terminal's summary */
  bool live;                                  /* with a progress line on standard error */
  const char *json;                           /* file name, "-" for standard output, NULL for none */
  const char *coverage;                       /* file name of the lcov tracefile, NULL for none */
  const char *unfolding;                      /* file name, FILE.json or FILE.dot, NULL for none */
  coverage_points branches;                   /* of the program */
  const char *sarif, *junit, *witness, *html; /* file names (formats/formats.h, page/page.h), NULL for none */
  bool github;                                /* with workflow commands of GitHub */
  const char *name, *source;                  /* of the program; its first file */
  struct paths paths;                         /* how files are named in reports that go elsewhere */
  uint64_t max_preemptions;                   /* the bound on preemptions in force, UINT64_MAX: none */
  struct tests *tests;                        /* NULL: no test cases are written */
  bool failed;                                /* a report could not be written */
  struct error error;
};

enum verdict { VERDICT_CLEAN, VERDICT_BUG, VERDICT_INCOMPLETE };
enum verdict report_verdict(const struct summary *summary);
const char *report_verdict_word(const struct summary *summary); /* "clean", "bug" or "incomplete" */
/* Was it looked for (--find)? Otherwise it is only noted. */
bool report_is_sought(const struct summary *summary, const struct finding *finding);
bool report_seeks_all(const struct summary *summary); /* every kind of finding? */
size_t report_bugs(const struct summary *summary);    /* how many were found that were looked for */

/* To report->stream. */
void terminal_print_summary(const struct report *report, const struct summary *summary);
/* The observers; `report` outlives them. */
struct observer terminal_observer(struct report *report);
struct observer json_observer(struct report *report);
struct observer bundle_observer(struct report *report);
struct observer tests_observer(struct report *report);
struct observer coverage_observer(struct report *report);
struct observer unfolding_observer(struct report *report);

/* NULL: it could not be kept. */
const char *report_bug_directory(const struct report *report, const struct finding *finding);
struct scene report_scene(const struct report *report, const struct finding *finding);

/* The observed outcomes that occurred, sorted by their text. */
struct observation {
  const char *text;
  uint32_t bytes;
  uint64_t runs;
};
typedef VECTOR(struct observation) observation_list;
void report_observations(const struct summary *summary, observation_list *list);
/* How many queries no cheaper stage could answer. */
uint64_t report_z3_queries(const struct summary *summary);
void report_branches(const struct report *report, const struct summary *summary, uint64_t *covered, uint64_t *total);

/* One bug as a JSON object. */
void json_append_bug(struct text *json, const struct report *report, const struct finding *finding);

#endif
