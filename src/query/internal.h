/* SPDX-License-Identifier: MIT
 *
 * For src/query alone: who reads and consumes which condition, how a thread can continue, and in which order events can
 * happen.
 */
#ifndef HEDDLE_QUERY_INTERNAL_H
#define HEDDLE_QUERY_INTERNAL_H

#include "structure/structure.h"

struct number_list {
  const uint32_t *items;
  size_t count;
};

/* Lists of numbers, one after the other: list i is items[starts[i]] up to items[starts[i + 1]]. */
struct number_lists {
  uint32_t *starts, *items;
  size_t count;
};

struct turn {
  uint32_t previous, event;
  thread_id thread;
};

struct relations {
  const struct structure *structure;
  struct number_lists readers, consumers; /* by condition */
  struct turn *turns;                     /* events by (previous, thread), ascending */
  struct number_lists turn_events;        /* the same, one list for each */
  uint32_t *marks, mark;                  /* by event */
  VECTOR(uint32_t) stack;
  VECTOR(event_numbers) cycles; /* of the order that was looked for last: events that cannot all happen */
};

void relations_make(struct relations *relations, const struct structure *structure);
void relations_free(struct relations *relations);

/* Ascending. */
struct number_list relations_readers(const struct relations *relations, uint32_t condition);
struct number_list relations_consumers(const struct relations *relations, uint32_t condition);

/* The events that a thread can perform next after an event: it performs at most one of them. */
size_t relations_turns(const struct relations *relations);
struct number_list relations_turn(const struct relations *relations, size_t i);
struct number_list relations_turn_of(const struct relations *relations, uint32_t previous, thread_id thread);

/* Marks the causes of an event, their causes and so on, as far as their numbers are at least `least`. */
void relations_mark_past(struct relations *relations, uint32_t event, uint32_t least);
bool relations_is_marked(const struct relations *relations, uint32_t event);

/* The events that are present, causes before what they cause and readers of a condition before its consumer, with few
 * changes of the thread. False: there is no such order; then there are cycles. */
bool relations_find_order(struct relations *relations, const bool *present, event_numbers *order);

#endif
