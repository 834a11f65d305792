/* SPDX-License-Identifier: MIT
 *
 * From a run with symbolic reads to the forest (ExtractISCs of the paper): every thread's events and decisions are
 * merged into its tree; the other sides of decisions, operations that threads stand before, and a read that sees
 * something unforeseen, dangle. After an unforeseen interference nothing of the thread is merged.
 */
#ifndef HEDDLE_EXPLORE_CON2COLIC_EXTRACT_H
#define HEDDLE_EXPLORE_CON2COLIC_EXTRACT_H

#include "base/number_map.h"
#include "explore/con2colic/realise.h"
#include "trace/trace.h"

/* A variable, and the last write of it. */
struct seen_variable {
  uint32_t touched_in, written_in; /* the last runs that did: stamps */
  node_id node;                    /* 0: of a thread that is not followed any more */
  thread_id thread;
};

/* What a thread returned, and where a thread is joined. */
struct thread_result {
  thread_id thread;
  uint64_t value;
};

struct join {
  node_id parent;
  struct node what;
};

struct extraction {
  struct forest *forest;
  struct realiser *realiser;
  struct inputs *inputs;
  uint32_t max_values; /* of an address or a pinned value that are asked for; 0: no bound */
  VECTOR(struct thread_result) results;
  VECTOR(struct join) joins;
  /* What the last trace brought. */
  node_list dangling, realised; /* nodes that no run had reached */
  need_list sources;            /* new nodes that can fulfil needs: kind, object, node */
  bool found_fatal;             /* it ended at a node that was not known to end runs */
  bool values_left;             /* more values than max_values */
  bool pins_left;               /* the same, for a value that was pinned */
  const char *not_modelled;     /* an event whose meaning for others is not known; NULL: none so far */
  /* How the last run went. */
  const struct path *path;
  uint32_t stamp;
  VECTOR(uint32_t) stamps; /* by node: the last run that came there */
  VECTOR(node_id)
  seen; /* by node, if the stamp is the last run's: what the read saw; 0: its own thread's, or the start */
  VECTOR(node_id) present; /* by thread: where it is; 0: it does not exist */
  VECTOR(bool) cut;        /* by thread: not followed any more */
  NUMBER_MAP(struct seen_variable) variables;
  VECTOR(uint64_t) semaphores;
  VECTOR(struct access) exchanges; /* compare-and-exchanges that have written, until they have decided */
  node_id fork;                    /* main's first */
};

void extraction_free(struct extraction *self);
/* `expected` is the scenario that the run was made for; NULL: none. */
void extraction_read(struct extraction *self, const struct trace_view *trace, const struct path *path,
                     const struct scenario_parts *expected);
/* Did the last run come to the node? */
bool extraction_came_to(const struct extraction *self, node_id node);
/* A node that runs came to, of a thread that neither ends there nor is known to do anything next; 0: there is none. */
node_id extraction_find_lost(const struct extraction *self);

#endif
