/* SPDX-License-Identifier: MIT
 *
 * Inputs as the engine sees them: a trace's terms become terms of src/expr, its decisions become constraints on inputs,
 * and the solver finds inputs that take another side.
 *
 * `struct inputs` lives as long as the exploration: terms, solver and what the solver remembers survive when a strategy
 * starts again.
 */
#ifndef HEDDLE_EXPLORE_INPUTS_INPUTS_H
#define HEDDLE_EXPLORE_INPUTS_INPUTS_H

#include "solve/solver.h"
#include "trace/trace.h"

struct inputs;

typedef VECTOR(term_id) term_list;

/* Values of all inputs of a run, packed; shared by those who hold them. NULL: all are 0. */
struct values {
  uint32_t references;
  uint32_t size_bytes; /* after it everything is 0 */
  uint8_t bytes[];
};

struct values *values_hold(struct values *values);
void values_release(struct values *values);

/* A decision of a run. Those that all inputs would take the same way, and those that an earlier decision of the run
 * implies word for word, are left out of a path. */
struct path_decision {
  const struct decision *record; /* in the trace */
  term_id term;                  /* that decided */
  term_id constraint;            /* holds for all inputs that take the same side */
};

/* A value that was made concrete: PIN, or the address in an object that is not known. Not a choice between paths. */
bool decision_is_pin(const struct decision *decision);

/* How a run went through its decisions. A path, like the trace it is of, is valid until the next run is read. */
struct path {
  const struct path_decision *decisions;
  size_t count;
  const term_id *constraints; /* of the decisions, for queries about a prefix */
  const term_id *sides;       /* by decision of the trace: path_side() */
  const term_id *terms;       /* by term of the trace: path_term() */
  struct values *values;      /* who keeps them holds them */
  uint64_t hash;              /* of the sides taken; what was made concrete does not count */
};

struct inputs_settings {
  uint32_t solver_timeout_milliseconds;
  uint32_t max_address_targets; /* 0: no bound */
  bool check;                   /* compare every term with the value it had in the run, every answer with Z3's */
  struct deadline *deadline;    /* NULL: none. When it is over, the solver does not know */
};

struct inputs *inputs_create(const struct inputs_settings *settings);
void inputs_destroy(struct inputs *inputs);

/* The path of a run; NULL: it has no inputs. */
const struct path *inputs_read(struct inputs *inputs, const struct trace_view *trace);
/* What the i-th decision of the trace says about inputs, 0: all inputs would take the same side. Unlike the path's own
 * list this does not leave out what an earlier decision implies. */
static inline term_id path_side(const struct path *path, uint32_t i) {
  return path->sides[i];
}
/* What term number `term` of the trace stands for; 0: there is none. The symbol of a visible read is an input of the
 * terms that no plan gives a value: `inputs_append_values` leaves it out. */
static inline term_id path_term(const struct path *path, uint32_t term) {
  return term ? path->terms[term - 1] : 0;
}
/* Do all constraints hold for the inputs of the path? */
bool path_holds(const struct path *path, struct inputs *inputs, const term_id *constraints, size_t count);
/* And for these values? */
bool inputs_satisfy(struct inputs *inputs, const struct values *values, const term_id *constraints, size_t count);
/* All inputs of all traces; 0: nothing is symbolic. */
size_t inputs_count(const struct inputs *inputs);
/* Terms that did not have the value their run said they had, with what is known about the first: defects in heddle. */
uint64_t inputs_mismatches(const struct inputs *inputs, const char **words);

struct terms *inputs_terms(struct inputs *inputs);
/* Which input of which thread input `id` of the terms is. False: the symbol of a read. */
bool inputs_identity(const struct inputs *inputs, input_id id, thread_id *thread, uint32_t *index);
uint32_t inputs_max_address_targets(const struct inputs *inputs);
void inputs_get_statistics(const struct inputs *inputs, struct solver_statistics *statistics);

/* Values for which `count` constraints, which hold for `hint`, and the target hold. With SATISFIABLE, *solution is held
 * for the caller. */
enum answer inputs_solve(struct inputs *inputs, const term_id *constraints, size_t count, term_id target,
                         const struct values *hint, struct values **solution);
/* The value of a term for the last solution. */
bits inputs_value_in_solution(struct inputs *inputs, term_id term);
/* Appends the values that are not 0, as plans want them. */
void inputs_append_values(const struct inputs *inputs, const struct values *values, input_values *list);

#endif
