/* SPDX-License-Identifier: MIT
 *
 * Order in time: points in chains (the steps of threads), some of which must come before others, and pairs of demands
 * of which one must hold (two critical sections: one is over before the other begins). Is there an order of all points,
 * and if not, whose demands contradict each other?
 *
 * Every demand belongs to a group; group 0 is what holds anyway. The answer "no" comes with a core: groups whose
 * demands, with those of group 0, have no order. Two ways to answer, with one interface:
 *
 *   precedence.c     propagation of the partial order, with backtracking over what it leaves open
 *   precedence_z3.c  the same as difference logic, by Z3
 *
 * docs/algorithms/con2colic.md has the figures that made the first one the default.
 */
#ifndef HEDDLE_SOLVE_PRECEDENCE_H
#define HEDDLE_SOLVE_PRECEDENCE_H

#include "solve/solver.h"

typedef uint32_t point_id; /* from 0 */
#define NO_POINT UINT32_MAX

typedef VECTOR(point_id) point_list;

struct precedence_point {
  uint32_t chain, place; /* in the chain, from 0 */
};

/* a before b, or c before d; without c and d: the first. */
struct precedence_demand {
  point_id a, b, c, d;
  uint32_t group;
};

struct precedence {
  VECTOR(struct precedence_point) points;
  VECTOR(struct precedence_demand) demands;
  VECTOR(point_list) chains;
  uint32_t n_chains, n_groups; /* groups are 1 .. n_groups */
  VECTOR(bool) core;           /* by group: UNSATISFIABLE because of it */
  point_list order;            /* SATISFIABLE: all points */
  struct deadline *deadline;   /* when it is over, the answer is UNKNOWN; NULL: none */
  struct precedence_search *search;
  struct precedence_z3 *z3;
};

struct precedence *precedence_create(void);
void precedence_destroy(struct precedence *self);
/* Starts a new question. */
void precedence_start(struct precedence *self, uint32_t n_chains);
/* A point after all points of the chain. */
point_id precedence_add_point(struct precedence *self, uint32_t chain);
void precedence_demand(struct precedence *self, point_id a, point_id b, uint32_t group);
void precedence_demand_either(struct precedence *self, point_id a, point_id b, point_id c, point_id d, uint32_t group);

/* SATISFIABLE: `order`, in which the chain `last` comes as late as it can. UNSATISFIABLE: `core`. */
enum answer precedence_solve(struct precedence *self, uint32_t last);
/* The same by Z3. */
enum answer precedence_solve_z3(struct precedence *self, uint32_t last);
/* Finds what comes before what in all orders that satisfy the demands of group 0; not all of it. False: there are none.
 * Then, until the next question: does a come before b in all of them? */
bool precedence_find_certain(struct precedence *self);
bool precedence_is_certain(const struct precedence *self, point_id a, point_id b);

/* For the two ways to answer. */
void precedence_search_free(struct precedence_search *search);
void precedence_z3_free(struct precedence_z3 *z3);
void precedence_clear_core(struct precedence *self);
bool precedence_holds(const struct precedence *self); /* does `order` satisfy every demand? */

#endif
