/* SPDX-License-Identifier: MIT
 *
 * Interference scenarios as values, and the list of those still to look at, by degree.
 *
 * A scenario is its sink, its interferences (struct interference, ascending by target) and its tails: nodes that
 * threads must reach although nothing in the scenario sees what they do there (a lock given back, the end of a joined
 * thread), ascending. Scenarios are numbered, kept in one array of words, and found by their content.
 */
#ifndef HEDDLE_EXPLORE_CON2COLIC_SCENARIOS_H
#define HEDDLE_EXPLORE_CON2COLIC_SCENARIOS_H

#include "base/id_index.h"
#include "explore/con2colic/forest.h"

typedef uint32_t scenario_id; /* 0 = none */

struct scenario {
  node_id sink;
  uint32_t first; /* its words: interferences, then tails */
  uint16_t n_interferences, n_tails;
  uint32_t degree; /* how many of the interferences are of memory */
};

/* First in, first out; those that come first before all others. */
struct scenario_queue {
  VECTOR(scenario_id) urgent, other;
  size_t urgent_taken, other_taken;
};

struct scenarios {
  VECTOR(struct scenario) items; /* number 0 is none */
  VECTOR(uint32_t) words;
  struct id_index index;                /* by content; of equal ones, the first */
  VECTOR(struct scenario_queue) queues; /* by degree */
  uint64_t waiting;
};

void scenarios_start(struct scenarios *self);
void scenarios_free(struct scenarios *self);

struct scenario_parts {
  node_id sink;
  VECTOR(struct interference) interferences;
  node_list tails;
};

void parts_free(struct scenario_parts *parts);
void parts_read(struct scenario_parts *parts, const struct scenarios *self, scenario_id id);
/* Keeps them in order. A tail on the way to another one is left out. */
void parts_add_interference(struct scenario_parts *parts, struct interference interference);
void parts_add_tail(struct scenario_parts *parts, const struct forest *forest, node_id tail);
/* 0: it sees nothing of another thread. */
node_id parts_source(const struct scenario_parts *parts, node_id target);

/* 0: it is there already, and `unique` is wanted. */
scenario_id scenarios_add(struct scenarios *self, const struct forest *forest, const struct scenario_parts *parts,
                          bool unique);
void scenarios_push(struct scenarios *self, scenario_id id, bool is_urgent);
/* One of the lowest degree; 0: none is left, or none of at most this degree. */
scenario_id scenarios_pop(struct scenarios *self, uint32_t most);
/* The lowest degree of those that wait; UINT32_MAX: none does. */
uint32_t scenarios_lowest(const struct scenarios *self);
uint64_t scenarios_bytes(const struct scenarios *self);

#endif
