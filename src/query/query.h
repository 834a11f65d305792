/* SPDX-License-Identifier: MIT
 *
 * Can a program come to a global state? Answered from its unfolding by the solver, and shown by a run.
 */
#ifndef HEDDLE_QUERY_QUERY_H
#define HEDDLE_QUERY_QUERY_H

#include "query/state.h"
#include "query/witness.h"

enum query_answer {
  QUERY_REACHABLE,
  QUERY_UNREACHABLE,
  QUERY_NOT_IN_PART, /* not in what was explored */
  QUERY_UNKNOWN,     /* the solver gave up, or values are not known */
  QUERY_WRONG, /* the run did not come to where the unfolding says: a defect of heddle, or of the program's runs */
};

struct query_result {
  enum query_answer answer;
  struct state state;      /* REACHABLE, WRONG: what the run was made for */
  struct finding *finding; /* the run; NULL: none */
  struct text words;       /* the state that it comes to */
  uint64_t queries, cycles;
};

/* False: the expression, or running the program, is impossible. */
bool query_ask(struct query_result *result, struct structure *structure, const struct witness_program *program,
               const char *expression, uint32_t timeout_milliseconds, struct error *error);
void query_result_free(struct query_result *result);

#endif
