/* SPDX-License-Identifier: MIT
 *
 * What can go wrong between threads although each of them takes a path on which nothing goes wrong
 * (docs/algorithms/con2colic.md, "What clean means"). When the forest has all paths of all threads, three questions are
 * left:
 *
 *     waiting    can the threads reach places where they wait for each other forever?      NODE_HALT
 *     lifetimes  can a thread use what another one has freed or destroyed, or not made yet?   NODE_AFTER
 *     races      can two threads stand before accesses that conflict?                         NODE_MEET
 *
 * Each is a scenario: ways of threads with an order and inputs. This lists the scenarios to begin with.
 */
#ifndef HEDDLE_EXPLORE_CON2COLIC_HAZARDS_H
#define HEDDLE_EXPLORE_CON2COLIC_HAZARDS_H

#include "explore/con2colic/extract.h"

/* A scenario to begin with; 0: it has no such part. */
struct hazard {
  node_id sink;
  struct interference interference;
  node_id tail;
};

struct hazards {
  struct forest *forest;
  bool wants_races; /* they count as bugs */
  /* What is new since the last call. */
  VECTOR(struct hazard) found;
  need_list sources;     /* halts and ends, for those that wait for them */
  const char *undecided; /* something that is not looked for; NULL: nothing so far */
  /* Nodes that have been looked at. */
  node_id seen;
  size_t joins_seen;
  node_list lifetimes, uses, accesses, halts, ends_of_main;
  node_list arrivals; /* at barriers: one of each thread */
  struct cause cause; /* for questions */
};

void hazards_free(struct hazards *self);
/* Looks at the nodes that are new. */
void hazards_look(struct hazards *self, const struct extraction *extraction);
/* What the node stands for, in the plural. */
const char *hazards_words(const struct node *node);

#endif
