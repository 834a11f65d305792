/* SPDX-License-Identifier: MIT
 *
 * Are there inputs and a schedule for a scenario? Two systems of constraints (docs/algorithms/con2colic.md, Fig. 5 of
 * the paper): in time, by solve/precedence.h; of data, by the solver chain, with reads replaced by what they see.
 *
 * If there are none, the answer is a list of needs: every larger scenario that can be realised fulfils at least one of
 * them. A need is, for example, a read that sees another thread's write, or a thread that continues and gives back a
 * lock.
 */
#ifndef HEDDLE_EXPLORE_CON2COLIC_REALISE_H
#define HEDDLE_EXPLORE_CON2COLIC_REALISE_H

#include "explore/con2colic/scenarios.h"
#include "explore/inputs/inputs.h"
#include "solve/precedence.h"

enum need_kind {
  NEED_WRITE,   /* of another thread, that the read `node` sees */
  NEED_SIGNAL,  /* that wakes the thread at `node` */
  NEED_HOLDER,  /* of the lock that `node` does not get */
  NEED_POST,    /* of the semaphore that `node` waits for */
  NEED_TAKER,   /* of a token that `node` does not get */
  NEED_ARRIVAL, /* at the barrier that `node` leaves */
  NEED_END,     /* of the thread that `node` joins */
  NEED_DONE,    /* what `node` does not have to do any more (pthread_once) */
  NEED_RELEASE, /* by the thread of `node`, after it, of a lock */
  NEED_HOLDS,   /* a thread that goes no further and has the lock that `node` waits for */
  NEED_HALT,    /* the thread that `node` waits for, where it goes no further and has not ended */
  NEED_LAST,    /* a thread, where it goes no further */
  NEED_KINDS
};

struct need {
  node_id node;
  enum need_kind kind;
  uint64_t object;
};

typedef VECTOR(struct need) need_list;

enum realisability {
  IS_REALISABLE,
  HAS_NO_ORDER,    /* no order */
  HAS_NO_INPUTS,   /* no inputs */
  LACKS_SOMETHING, /* something must be added */
  IS_UNKNOWN
};

struct realiser {
  struct forest *forest;
  struct inputs *inputs;
  bool uses_z3;     /* for orders */
  bool checks;      /* asks both order solvers; `disagreements` counts differences */
  bool wants_cores; /* otherwise the needs are all there could be */
  uint64_t disagreements, order_questions, data_questions;
  double order_seconds, data_seconds;
  /* What variables hold at first, and tokens of semaphores, by where main created its first thread. */
  struct initial_table *initials;
  /* The last scenario. */
  struct cause cause;
  need_list needs;
  node_list core; /* BRANCH nodes that contradict each other, for reports */
  struct schedule schedule;
  struct values *values; /* held */
  struct realiser_work *work;
};

struct realiser *realiser_create(struct forest *forest, struct inputs *inputs, struct deadline *deadline);
void realiser_destroy(struct realiser *self);
enum realisability realiser_check(struct realiser *self, const struct scenario_parts *parts, const struct values *hint);

/* Can the read see the write in no scenario that has all of the last one? Because another write comes between, or the
 * write comes after the read. False: it is not certain. */
bool realiser_excludes(struct realiser *self, node_id read, node_id write);

/* What a variable holds before any thread writes it, in runs in which main creates its first thread at `fork`. */
void realiser_learn_initial(struct realiser *self, node_id fork, uint64_t address, term_id term);
/* How many tokens a semaphore has at first. */
void realiser_learn_tokens(struct realiser *self, uint64_t semaphore, uint64_t tokens);

/* What an event does to a lock. */
enum lock_use { LOCK_NONE, LOCK_TAKES, LOCK_TAKES_SHARED, LOCK_GIVES, LOCK_FAILS, LOCK_FAILS_SHARED };
enum lock_use node_lock_use(const struct node *node);
/* The lock, for a wake-up that of the wait before it. */
uint64_t node_lock(const struct forest *forest, node_id id);
/* Is the meaning of the event for other threads known here? */
bool node_is_modelled(const struct node *node);

#endif
