/* SPDX-License-Identifier: MIT
 *
 * Whether a program can reach a global state: the solver answers from its unfolding, and a run shows it.
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
  QUERY_WRONG, /* the run did not reach the predicted state: a defect in heddle, or the program behaves differently each
                  time */
};

struct query_result {
  enum query_answer answer;
  struct state state;      /* REACHABLE, WRONG: what the run was made for */
  struct finding *finding; /* the run; NULL: none */
  struct text words;       /* the state that it comes to */
  uint64_t queries, cycles;
};

/* False: the expression is wrong, or the program cannot be run. */
bool query_ask(struct query_result *result, struct structure *structure, const struct witness_program *program,
               const char *expression, uint32_t timeout_milliseconds, struct error *error);
void query_result_free(struct query_result *result);

#endif
