/* SPDX-License-Identifier: MIT
 *
 * What operations do to the objects of a net: which ones they touch, in which states of them they can happen, and what
 * state they leave behind.
 *
 *     MEMORY     has no states: an access always can happen
 *     MUTEX      0 free, 1 + t held by thread t
 *     SEMAPHORE  its count, UNKNOWN_STATE before the first operation on it
 *     RWLOCK     how many read, WRITER_STATE + t: thread t writes
 *     BARRIER    how many have arrived and wait, 0 when it has just opened
 *     CONDITION  place in net.waiters
 *     LIFE       1: the thread has ended
 *     others     0; whether an operation can happen is not known
 */
#ifndef HEDDLE_EXPLORE_UNFOLDING_OPERATION_H
#define HEDDLE_EXPLORE_UNFOLDING_OPERATION_H

#include "explore/unfolding/layout.h"
#include "explore/unfolding/net.h"
#include "trace/trace.h"

#define UNKNOWN_STATE UINT32_MAX
#define WRITER_STATE 0x80000000u

/* The operation of an event, or of a thread that stands before one; `before` is the operation of the thread before
 * that. 0: the event says nothing about what its thread does. *is_wrong: the layout was not as thought. */
operation_id operation_of_event(struct net *net, struct layout *layout, const struct event *event, operation_id before,
                                bool *is_wrong);
operation_id operation_of_pending(struct net *net, struct layout *layout, const struct pending *pending,
                                  operation_id before, bool *is_wrong);
operation_id operation_of_decision(struct net *net, const struct decision *decision, uint32_t term);
/* Begins a thread. */
operation_id operation_of_start(struct net *net, thread_id thread);

struct possibility {
  enum access_mode mode;
  bool is_unsure; /* it may not be able to happen, only a run can tell */
  bool gives_up;  /* the mutex that the operation would take next is not taken */
};

/* What the operation's i-th access does to its object in this state. */
struct possibility operation_possibility(const struct net *net, operation_id operation, uint8_t i, thread_id thread,
                                         uint32_t state);
/* Where that is ACCESS_PAST: the earliest condition on the way to this one that the access can come after. */
condition_id operation_past(const struct net *net, operation_id operation, uint8_t i, thread_id thread,
                            condition_id condition);
/* The same of an event that happened: what it did. */
struct possibility operation_done(const struct net *net, operation_id operation, uint8_t i, const struct event *event,
                                  uint32_t state);
/* The state after it. */
uint32_t operation_state_after(struct net *net, operation_id operation, uint8_t i, const struct event *event,
                               uint32_t state);

static inline object_id operation_object(const struct net *net, operation_id operation, uint8_t i) {
  return net->operation_objects.items[net->operations.items[operation].objects + i];
}

#endif
