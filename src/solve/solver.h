/* SPDX-License-Identifier: MIT
 *
 * Solving: values of inputs for which constraints hold. The solver is a chain of stages with one interface, cheapest
 * first; a stage answers or passes on what is left of the query. chain.c puts them together:
 *
 *     constants   a target that always holds, never does, or holds for the hint
 *     slice       keeps the constraints connected to the target through common inputs, as a sorted set
 *     cache       the same constraints, a subset that has no solution, a superset that has one
 *     models      solutions of earlier queries
 *     bounds      constraints that compare one input with constants: decided exactly
 *     intervals   bounds of all terms, narrowed until they contradict each other or leave few values
 *     search      a solution by following what each constraint asks of the inputs; all values, where they are few
 *     enumeration all values within the bounds, where that is less work than Z3 may make of them
 *     z3          everything else
 *
 * A solution that a cheap stage gives has been evaluated; "no solution" comes only from stages that are complete for
 * what they accept.
 */
#ifndef HEDDLE_SOLVE_SOLVER_H
#define HEDDLE_SOLVE_SOLVER_H

#include "base/deadline.h"
#include "expr/term.h"

enum answer { ANSWER_SATISFIABLE, ANSWER_UNSATISFIABLE, ANSWER_UNKNOWN };

/* Terms of one bit that must all be 1. */
struct query {
  const term_id *constraints;
  size_t count;
  term_id target;           /* one more; 0: none. The hint satisfies all the others, so only it needs looking at */
  const struct model *hint; /* values for inputs that do not matter; NULL: 0 */
  /* For the stages after `slice`: the parts of what was the target, which are among the constraints. */
  const term_id *focus;
  size_t n_focus;
};

struct solver_settings {
  uint32_t timeout_milliseconds; /* of Z3, per query */
  bool check;                    /* evaluate every solution, and ask Z3 about every answer of a cheap stage */
  bool only_z3;                  /* for few queries with many constraints: no cheap stages */
  struct deadline *deadline;     /* when it is over, the answer is UNKNOWN; NULL: none */
};

struct stage_statistics {
  const char *name;
  uint64_t queries; /* that reached the stage */
  uint64_t satisfiable, unsatisfiable, unknown;
  double seconds; /* in this stage, without those after it */
};

#define MAX_STAGES 16

struct solver_statistics {
  uint64_t queries, satisfiable, unsatisfiable, unknown;
  uint64_t wrong; /* with `check`: answers that were found to be wrong, and given as UNKNOWN */
  double seconds;
  struct stage_statistics stages[MAX_STAGES];
  size_t n_stages;
};

struct solver;

/* Uses `terms`, which must live longer; may make terms of its own there. */
struct solver *solver_create(struct terms *terms, const struct solver_settings *settings);
void solver_destroy(struct solver *solver);
/* With SATISFIABLE, `model` (initialised by the caller) is the hint changed so that all constraints and the target
 * hold. */
enum answer solver_solve(struct solver *solver, const struct query *query, struct model *model);
void solver_get_statistics(const struct solver *solver, struct solver_statistics *statistics);

#endif
