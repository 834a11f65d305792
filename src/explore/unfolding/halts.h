/* SPDX-License-Identifier: MIT
 *
 * Where threads can stand still for good: thread conditions whose operation can be blocked, and the ends of threads.
 * Those of a thread that stand before the same operation and hold locks of the same objects are one halt: that alone
 * shows whether a set of halts can be a deadlock, before any of their thread conditions is examined.
 */
#ifndef HEDDLE_EXPLORE_UNFOLDING_HALTS_H
#define HEDDLE_EXPLORE_UNFOLDING_HALTS_H

#include "explore/unfolding/net.h"

typedef uint32_t halt_id; /* 0 none */

/* A thread condition that is blocked when the condition is there. */
struct blocked_pair {
  event_id event;
  condition_id condition;
};

struct halt {
  thread_id thread;
  operation_id operation; /* it stands before; 0: the thread has ended */
  object_id wanted;       /* whose owner it waits for: a lock, or the life of a thread that is joined; 0 none */
  bool waits;             /* for what nobody owns: a semaphore, a condition variable, a barrier */
  uint32_t tail;          /* of net.tails: it only joins from here on, and then ends; 0: it does not */
  uint32_t held, n_held;  /* objects that it has locked, place in halts.objects */
  event_ids members;
  VECTOR(struct blocked_pair)
  pairs; /* where a member waits for what nobody owns: known for those that were tried and failed */
};

struct taken_lock {
  condition_id condition; /* that taking it made */
  uint32_t next;
};

struct halts {
  struct net *net;
  VECTOR(struct halt) list; /* from 1 */
  VECTOR(object_id) objects;
  VECTOR(halt_id) of_event;
  VECTOR(uint32_t) held_by_event;  /* 0 not known, otherwise 1 + place in locks */
  VECTOR(struct taken_lock) locks; /* [0]: none */
  event_ids path;                  /* to an event for which locks are to be found */
  VECTOR(object_id) lives;         /* by thread */
  object_id n_objects;             /* that were looked through for lives */
};

void halts_init(struct halts *self, struct net *net);
void halts_free(struct halts *self);

/* The halt of a thread condition, which is made a member of it; 0: its thread does not stand still there. */
halt_id halts_add(struct halts *self, event_id event);
halt_id halts_add_tail(struct halts *self, uint32_t tail);
/* The extension was tried and is impossible: the thread condition before it is blocked there. */
void halts_add_impossible(struct halts *self, event_id extension);

/* The locks that a thread holds after an event: place in locks. */
uint32_t halts_held(struct halts *self, event_id event);
/* Whether the thread has ended, 0: nobody has asked for that. */
object_id halts_life(struct halts *self, thread_id thread);
/* Does a thread that stands still there keep what the other one wants? Readers keep nothing from readers: a closer look
 * decides that. */
bool halts_keeps(struct halts *self, halt_id holder, halt_id other);
/* Do they exclude each other because they hold the same mutex? */
bool halts_exclude(const struct halts *self, halt_id a, halt_id b);
/* Is the operation that the thread does next blocked by this condition of one of its objects? */
bool halts_is_blocked(const struct halts *self, event_id event, condition_id condition);

static inline halt_id halts_of(const struct halts *self, event_id event) {
  return event < self->of_event.count ? self->of_event.items[event] : 0;
}

#endif
