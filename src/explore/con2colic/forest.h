/* SPDX-License-Identifier: MIT
 *
 * The interference forest of con2colic testing (docs/algorithms/con2colic.md): what threads do, as far as runs have
 * shown it. A thread is a tree of what it does next: reads are symbols (abi/symbolic.h), so what comes next depends
 * only on how the thread decides, whatever the others do. Ways with a common beginning share it.
 *
 *     NODE_START ── NODE_ACCESS ── NODE_BRANCH ── NODE_FORK ── ...       the first thread
 *                              └── NODE_BRANCH (dangling)      │
 *                                                              └ NODE_START ── ...   the thread it creates
 *
 * A scenario is a node to be reached, its sink, with interferences: reads that shall see what another thread
 * wrote. All that has to happen for it is its cause: the ways of threads to the sink, to the writes, and to where those
 * threads were created. Whether the ways of two scenarios are compatible is whether, per thread, one lies on the other.
 *
 * Nodes live as long as the forest and are named by 32-bit numbers.
 */
#ifndef HEDDLE_EXPLORE_CON2COLIC_FOREST_H
#define HEDDLE_EXPLORE_CON2COLIC_FOREST_H

#include "abi/channel.h"
#include "base/memory.h"
#include "expr/term.h"

#include <stdbool.h>

typedef uint32_t node_id; /* 0 = none */
typedef VECTOR(node_id) node_list;

enum node_kind {
  NODE_START,   /* of a thread; its parent is the FORK in another tree */
  NODE_FORK,    /* `object` is the thread */
  NODE_JOIN,    /* `object` is the thread */
  NODE_END,     /* of the thread */
  NODE_ACCESS,  /* of the variable `object` */
  NODE_PENDING, /* an access that no run has performed yet: `size` bytes at `object` */
  NODE_BRANCH,  /* `term` holds */
  NODE_EVENT,   /* any other event */
  /* What no run comes to by itself: hazards.h looks for it. The operation is `event` of `object`. */
  NODE_HALT,  /* the thread stands before the operation and waits there forever; the last of its way */
  NODE_MEET,  /* the thread stands before the access while another one stands before its own; the last of its way */
  NODE_AFTER, /* the thread performs the operation after another thread has changed the life of the object */
};

enum node_flags {
  NODE_STEP = 1, /* a step of the schedule begins here; an access without it belongs to the step before */
  NODE_READS = 2,
  NODE_WRITES = 4,
  NODE_REALISED = 8, /* a run has come here; otherwise it dangles */
  NODE_CLOSED = 16,  /* need not be reached: nobody has to, or others stand for it */
  NODE_PARKED = 32,  /* a read that waits until it would find something other than before */
  NODE_NESTED = 64,  /* of a lock that the thread has anyway */
  NODE_RARE = 128,   /* BRANCH: one of more than two values */
};

struct node {
  node_id parent, child, sibling;
  uint32_t depth; /* nodes of its thread before it */
  thread_id thread;
  uint8_t kind;         /* enum node_kind */
  uint8_t flags;        /* enum node_flags */
  uint8_t event;        /* enum event_kind */
  uint8_t is_explained; /* for reports: the reason why it was not reached has been noted */
  uint8_t is_fatal;     /* the thread ends the run after it, before its next step */
  uint8_t is_rest;      /* ACCESS: of a step that a run showed, but was not followed to; no target by itself */
  uint16_t alternative;
  uint32_t size;
  site_id site;
  term_id term;    /* BRANCH: what holds; ACCESS: what is written */
  term_id symbol;  /* ACCESS: what is read; BRANCH: what decides */
  uint64_t object; /* address, lock, thread */
  uint64_t value;  /* of the event, where it matters */
};

struct forest {
  VECTOR(struct node) nodes;
  bool has_fatal; /* some node is */
};

struct forest *forest_create(void);
void forest_destroy(struct forest *forest);
static inline struct node *forest_at(const struct forest *forest, node_id id) {
  return &forest->nodes.items[id];
}
size_t forest_count(const struct forest *forest);

/* The child of `parent` that does the same, made if there is none. Parent 0: the first thread's start. */
node_id forest_add(struct forest *forest, node_id parent, const struct node *what, bool *is_new);
/* The same, without making it: 0. */
node_id forest_find(const struct forest *forest, node_id parent, const struct node *what);
/* Is it on the way to the other, or the same? Only within a thread's tree. */
bool forest_is_on_way(const struct forest *forest, node_id node, node_id leaf);

/* --- scenarios --- */

/* `target` sees what `source` did: a read and a write, a wake-up and a signal, ... */
struct interference {
  node_id target, source;
};

/* The way of a thread within a cause. */
struct thread_way {
  thread_id thread;
  node_id leaf;
  uint32_t first, count; /* its nodes in `nodes` from the start to the leaf */
};

struct cause {
  VECTOR(struct thread_way) ways; /* in the order they were needed: the sink's thread is the first */
  node_list nodes;
};

/* Does the thread go no further in any scenario that has the node? */
static inline bool node_is_last(const struct node *node) {
  return node->kind == NODE_HALT || node->kind == NODE_MEET || node->kind == NODE_END;
}
/* Does it stand for something that goes wrong between threads? */
static inline bool node_is_hazard(const struct node *node) {
  return node->kind == NODE_HALT || node->kind == NODE_MEET || node->kind == NODE_AFTER;
}

void cause_free(struct cause *cause);
/* The least cause that has the node and what must happen before it. */
void cause_start(struct cause *cause, const struct forest *forest, node_id sink);
/* Merges another node with what must happen before it. False: they are not compatible, and the cause is of no use. */
bool cause_merge(struct cause *cause, const struct forest *forest, node_id node);
/* Lists the nodes; call it when everything is merged. */
void cause_list_nodes(struct cause *cause, const struct forest *forest);
/* Is the node part of it? */
bool cause_has(const struct cause *cause, const struct forest *forest, node_id node);
/* NULL: the thread has no part in it. */
const struct thread_way *cause_way(const struct cause *cause, thread_id thread);

#endif
