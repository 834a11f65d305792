/* SPDX-License-Identifier: MIT
 *
 * Inputs from a file: a test case of Test-Comp (XML), a .ktest file of KLEE, or heddle's own JSON (inputs.json of a bug
 * directory). Only a run shows which inputs a program asks for, so values are assigned to the inputs that a trace
 * lists:
 *
 *     JSON    the values of a thread go to the inputs of that thread, in order
 *     .ktest  an object goes to the next input of its name; without one, to the next input
 *     XML     values go to the inputs in the order in which the program asked for them
 */
#ifndef HEDDLE_REPORT_GIVEN_H
#define HEDDLE_REPORT_GIVEN_H

#include "abi/channel.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "trace/trace.h"

/* The value of a named input: its bytes in memory, or numbers as they are written. */
struct given_input {
  char *thread, *name; /* "": unknown */
  bool is_raw;
  struct text raw;
  VECTOR(char *) numbers;
};

struct given_inputs {
  VECTOR(struct given_input) list;
  const char *path; /* as the user wrote it */
  bool by_thread, by_name, one_each;
};

bool given_read(struct given_inputs *given, const char *path, struct error *error);
void given_free(struct given_inputs *given);

/* How many of the inputs of a run got a value. */
struct assignment {
  input_values values; /* ascending by thread and index, without zeros */
  size_t unused;       /* given, and not asked for */
  size_t missing;      /* asked for, and not given: named inputs */
};

/* Values for the inputs that the trace lists. False: a value is not one of its input's type. */
bool given_assign(const struct given_inputs *given, const struct knowledge *knowledge, const struct trace_view *trace,
                  struct assignment *assignment, struct error *error);

/* ---- the formats: each appends to the list ---- */
struct given_input *given_add(struct given_inputs *given, const char *thread, const char *name);
bool testcase_parse(struct given_inputs *given, const struct text *contents, struct error *error);
bool ktest_parse(struct given_inputs *given, const struct text *contents, struct error *error);
bool inputs_json_parse(struct given_inputs *given, const struct text *contents, struct error *error);

#endif
