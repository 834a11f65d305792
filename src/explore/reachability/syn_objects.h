/* SPDX-License-Identifier: MIT
 *
 * Which memory and which synchronisation objects count as one object of SYN-sequences. In the model of reachability
 * testing an operation is completed on one object; where an operation of a program touches several (a wait: condition
 * variable and mutex; a copy: several variables; free: everything in the block), they are one object from then on.
 *
 * What is one object has to be known before sequences are compared: it is learned from traces, and when a trace joins
 * objects that were different before, what was explored with them is void.
 */
#ifndef HEDDLE_EXPLORE_REACHABILITY_SYN_OBJECTS_H
#define HEDDLE_EXPLORE_REACHABILITY_SYN_OBJECTS_H

#include "base/written.h"
#include "trace/trace.h"

/* Bytes from `start` to `end`, or one thing that is not in memory. Disjoint and in ascending order. */
struct syn_extent {
  uint64_t start, end;
  uint32_t group;
};

struct syn_objects {
  VECTOR(struct syn_extent) extents;
  VECTOR(uint32_t) parents;   /* of groups: union-find */
  VECTOR(uint8_t) is_ordered; /* of roots: ports whose sends are completed one after the other, like other operations */
  bool is_one;                /* all operations are totally ordered: something depended on everything */
};

void syn_objects_free(struct syn_objects *objects);
void syn_objects_write(const struct syn_objects *objects, struct text *state);
/* False: nobody wrote that. */
bool syn_objects_read(struct syn_objects *objects, struct written *state);

/* False: nothing changed, or things became known that no trace had before. True: what was learned earlier has changed.
 */
bool syn_objects_learn(struct syn_objects *objects, const struct trace_view *trace);

/* Where an operation lies: what `object` and `size` of its event or its pending operation say. */
struct syn_place {
  uint64_t start, end;
};
struct syn_place syn_place_of(uint32_t kind, uint64_t object, uint64_t size);

#define SYN_NO_GROUP UINT32_MAX
/* The root of the group that the place is in, SYN_NO_GROUP: it was never learned. */
uint32_t syn_objects_find(const struct syn_objects *objects, struct syn_place place);
bool syn_objects_is_ordered(const struct syn_objects *objects, uint32_t group);

/* A lifetime event that all other threads' operations come before, by creation and joining alone, races with nothing:
 * it joins no objects. Counts threads while going through a trace. */
struct syn_alone {
  uint32_t unjoined;
};
void syn_alone_pass(struct syn_alone *alone, const struct event *event);
bool syn_event_is_alone(const struct syn_alone *alone, const struct event *event);

#endif
