/* SPDX-License-Identifier: MIT
 *
 * heddle test: many tests, each an exploration of its own in a process of its own (`heddle run`).
 */
#ifndef HEDDLE_CLI_TEST_H
#define HEDDLE_CLI_TEST_H

#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"

#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

enum test_verdict { TEST_WAITS, TEST_CLEAN, TEST_BUG, TEST_KNOWN, TEST_INCOMPLETE, TEST_ERROR, TEST_SKIPPED };

/* One program with tests. */
struct test_program {
  char *file;                    /* as it was given or found */
  char *executable;              /* NULL: it could not be built */
  VECTOR(char *) specifications; /* functions that a test compares with */
};

struct test_case {
  size_t program;    /* in struct tests_found */
  char *name;        /* "" = the program is one test */
  char *argument;    /* that selects it, NULL: none */
  char *environment; /* NAME=VALUE that selects it, NULL: none */
  enum test_verdict verdict;
  uint64_t runs;
  double seconds;
  struct text what;      /* the finding, the reason, or the error */
  char *kind, *function; /* of the finding, for a baseline */
  char *directory;       /* of the bug */
  pid_t process;         /* 0: not at work */
  char *json;
};

struct test_request {
  VECTOR(const char *) places;   /* files and directories */
  VECTOR(const char *) with;     /* what every test is compiled with: sources, objects, flags */
  VECTOR(const char *) options;  /* of heddle run */
  double seconds, total_seconds; /* for one test, for all; 0: no bound */
  unsigned jobs;
  const char *junit, *baseline, *write_baseline, *changed_since;
  bool list;
};

struct tests_found {
  VECTOR(struct test_program) programs;
  VECTOR(struct test_case) cases;
  char *scratch; /* directory of what is built */
};

extern volatile sig_atomic_t test_interrupted;

/* test_find.c: files, programs, cases. Trouble with one file is a case that says so. */
bool tests_find(struct tests_found *found, const struct test_request *request, struct error *error);
/* test_run.c: explores them, some at a time. */
void tests_run(struct tests_found *found, const struct test_request *request);
/* test_report.c */
const char *test_verdict_word(enum test_verdict verdict);
/* "tests/queue_test.c: two_producers" */
void test_append_name(struct text *text, const struct tests_found *found, const struct test_case *test);
void tests_print(FILE *stream, const struct tests_found *found);
bool tests_write_junit(const struct tests_found *found, const char *file, struct error *error);
/* Findings that the file has are known, and do not count. */
bool tests_read_baseline(struct tests_found *found, const char *file, struct error *error);
bool tests_write_baseline(const struct tests_found *found, const char *file, struct error *error);

#endif
