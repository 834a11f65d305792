/* SPDX-License-Identifier: MIT
 *
 * A global state of a run: the one after its first `step` steps, when every thread stands before its next visible
 * operation. What variables hold there is read from the trace: the last access before, or a read after it, or else what
 * they held at first. Beside a run that reaches it, the state is kept as a file `state`:
 *
 *     heddle state
 *     step 7
 *     expression x + y > 3 && main@fib.c:42
 *     variable ADDRESS SIZE SIGNED INITIAL NAME        one line each, INITIAL is - when unknown
 */
#ifndef HEDDLE_QUERY_STATE_H
#define HEDDLE_QUERY_STATE_H

#include "query/expression.h"
#include "report/describe.h"
#include "structure/structure.h"

struct state_variable {
  char *name;
  uint64_t address;
  uint32_t size;
  bool is_signed, has_initial;
  uint64_t initial;
};

struct state {
  uint32_t step;
  char *text; /* of the expression */
  VECTOR(struct state_variable) variables;
};

/* A state with the variables of a structure, in the order of structure_append_variables. */
void state_make(struct state *state, const struct structure *structure, const char *expression, uint32_t step);
void state_free(struct state *state);
void state_append_file(const struct state *state, struct text *text);
/* The file in the directory. False: there is none, or it is damaged. */
bool state_read(struct state *state, const char *directory, struct error *error);
bool state_is_in(const char *directory);

/* What the run says about a variable there; false: nothing. */
bool state_value(const struct state *state, const struct trace_view *trace, size_t variable, uint64_t *value);

enum state_answer { STATE_REACHED, STATE_NOT_REACHED, STATE_NOT_KNOWN };

/* Does the run reach the state? Appends the state to `words`: the variables of the expression, and where every thread
 * is. False: the expression does not fit this run. */
bool state_look(const struct state *state, const struct scene *scene, enum state_answer *answer, struct text *words,
                struct error *error);

#endif
