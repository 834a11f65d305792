/* SPDX-License-Identifier: MIT
 *
 * What each thread did to each object that is counted: tokens of a semaphore, messages in a port, holds of an rwlock.
 * What a thread did in any beginning of its steps is found without going through them. Pushed and popped with an order.
 */
#ifndef HEDDLE_TRACE_TALLY_H
#define HEDDLE_TRACE_TALLY_H

#include "model/dependence.h"

/* After some steps of a thread. */
struct tally {
  uint32_t step;  /* the last one */
  int32_t amount; /* tokens or messages that it added, without those it took; holds of an rwlock */
  uint32_t since; /* rwlock: 1 + the step since which the thread has held it, 0 it does not */
};

struct tallies;

/* Is the event of an object that is counted? */
static inline bool tally_counts(const struct event *event) {
  const enum event_class class = event_class_of(event);
  return class == CLASS_SEMAPHORE || class == CLASS_PORT || class == CLASS_RWLOCK;
}

struct tallies *tallies_create(void);
void tallies_destroy(struct tallies *tallies);
void tallies_push(struct tallies *tallies, const struct event *event, uint32_t step);
/* Takes back the thread's last step, which was this event. */
void tallies_pop(struct tallies *tallies, const struct event *event);
/* After the steps of the thread that come before the step `end`; zeros when there are none. */
struct tally tallies_find(const struct tallies *tallies, uint64_t object, thread_id thread, uint32_t end);

#endif
