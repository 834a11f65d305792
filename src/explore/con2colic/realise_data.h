/* SPDX-License-Identifier: MIT
 *
 * The data constraints of a scenario: every read's symbol is replaced by what the read sees, so that the branches
 * become constraints on the program's inputs alone. Most of them become constants on the way.
 *
 * Without a solution: constraints that contradict each other, and local reads (those that see what their own thread
 * wrote, or the start) that matter for it.
 */
#ifndef HEDDLE_EXPLORE_CON2COLIC_REALISE_DATA_H
#define HEDDLE_EXPLORE_CON2COLIC_REALISE_DATA_H

#include "explore/inputs/inputs.h"

struct data_read {
  term_id symbol, seen; /* seen 0: not known */
  uint32_t index;       /* the caller's */
  bool is_local;
  bool is_free;      /* left as a symbol, to see whether it matters */
  bool is_open;      /* being replaced: it would see itself */
  bool is_candidate; /* for the core */
  uint32_t touch;    /* when it was used last */
};

struct data_constraint {
  term_id term;
  uint32_t index; /* the caller's */
};

struct realiser_data {
  struct inputs *inputs;
  VECTOR(struct data_read) reads;
  VECTOR(struct data_constraint) constraints;
  VECTOR(uint32_t) read_of; /* by input: 1 + its read, if `stamps` says so */
  VECTOR(uint32_t) read_stamps;
  VECTOR(term_id) memo; /* by term: what became of it, if `memo_stamps` says so */
  VECTOR(uint32_t) memo_stamps;
  uint32_t stamp, memo_stamp, touch;
  bool is_unsure; /* a read whose value is not known was used */
  term_list parts;
  VECTOR(uint32_t) core_reads, core_constraints; /* the caller's indices */
};

void realiser_data_start(struct realiser_data *self, struct inputs *inputs);
void realiser_data_free(struct realiser_data *self);
void realiser_data_add_read(struct realiser_data *self, term_id symbol, term_id seen, uint32_t index, bool is_local);
void realiser_data_add_constraint(struct realiser_data *self, term_id term, uint32_t index);
/* Does a constraint never hold, whatever those reads see that were not added? */
bool realiser_data_has_contradiction(struct realiser_data *self);
/* SATISFIABLE: *solution, held for the caller. UNSATISFIABLE: the core; all local reads if it is not wanted. */
enum answer realiser_data_solve(struct realiser_data *self, const struct values *hint, bool wants_core,
                                struct values **solution);

#endif
