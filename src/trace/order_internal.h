/* SPDX-License-Identifier: MIT
 *
 * An order from inside: order.c makes it, order_races.c finds races in it, reversal.c reverses them.
 */
#ifndef HEDDLE_TRACE_ORDER_INTERNAL_H
#define HEDDLE_TRACE_ORDER_INTERNAL_H

#include "trace/order.h"

#define MOST_GRANULES 16u /* of a step in chains */

/* What is known of a thread after the events so far. */
struct thread_state {
  uint32_t clock;  /* 1 + place of its clock, 0 none */
  uint32_t last;   /* 1 + its last step, 0 none */
  uint32_t ready;  /* from this step on it stands before its next operation */
  uint32_t woken;  /* 1 + the step that signalled it, 0 none */
  uint64_t waits;  /* on this condition variable, 0 none */
  uint64_t relock; /* the mutex it then takes again */
  uint32_t group;  /* 1 + the first thread of its group of threads that are the same; 0: it is the first, or has none */
};

/* The steps of a thread, in order. */
typedef VECTOR(uint32_t) step_list;

struct change {
  struct thread_state before;
  thread_id thread;
};

struct step_record {
  struct event event;
  uint64_t enabled;                               /* threads 0 to 63 */
  uint32_t wide, n_wide;                          /* all of them, when there are more: in order->words from `wide` on */
  uint32_t clock;                                 /* place of its clock, which is the first it made */
  uint32_t before_clock, before_last;             /* of the thread's state, before the step */
  uint32_t said;                                  /* order->said before it */
  uint32_t changes, entries, wides, inner, freed; /* how many there were before it */
  bool is_small;                                  /* is_small_access() */
};

/* A thread that can move again since a step: what order->held was. */
struct freed {
  uint32_t before;
  thread_id thread;
};

/* An event inside an atomic section, which is part of a step. */
struct inner {
  struct event event;
  uint32_t step;
};

struct entry {
  uint32_t step;
  uint32_t slot;
  uint32_t previous; /* 1 + the entry before it in its chain, 0 none */
  thread_id thread;  /* of the step */
  uint8_t mask;      /* bytes of the granule */
  uint8_t access;    /* enum event_dependence of an access of memory: READS or WRITES; NOT_MEMORY of others */
};

#define NOT_MEMORY 0xff

struct slot {
  uint64_t key;
  uint32_t newest; /* 1 + entry, 0 none */
  bool used;
};

struct order {
  VECTOR(struct step_record) steps;
  VECTOR(struct change) changes; /* of threads, but for `clock` and `last` by their own steps */
  VECTOR(struct entry) entries;
  VECTOR(uint32_t) wides; /* steps that are in no chain */
  VECTOR(uint64_t) words;
  VECTOR(struct inner) inner; /* those that touch memory or a semaphore */
  VECTOR(struct thread_state) threads;
  VECTOR(uint32_t) globals;             /* those of them that depend on everything */
  VECTOR(step_list) steps_of, wides_of; /* by thread */
  VECTOR(uint32_t) clocks;              /* `width` numbers each */
  uint32_t width, n_clocks;
  struct slot *slots;
  uint32_t n_slots, n_used;
  VECTOR(struct race) races;
  VECTOR(uint32_t) candidates, late; /* steps */
  VECTOR(uint32_t) reversed, others;
  struct tallies *tallies;
  VECTOR(struct freed) freed;
  uint32_t held[64];   /* of threads 0 to 63: 1 + the last step at which it could not move, unless that is said - 1 */
  uint32_t said;       /* 1 + the last step that says who could move, 0 none */
  uint32_t own_clocks; /* clocks from this place on belong to one thread alone, and to no step */
  uint64_t ports[32];  /* by port_bit: one that has it, 0 none */
  bool ports_meet;     /* some have the same */
  bool has_groups;     /* there were threads that are the same */
  bool is_pending;     /* the event whose races are looked for is no step: no record says who can move where it is */
};

/* The chains an event is in: keys and the bytes of each granule. None for those that are in no chain. */
struct places {
  uint32_t count;
  bool is_small; /* is_small_access() */
  uint32_t slots[MOST_GRANULES];
  uint64_t keys[MOST_GRANULES];
  uint8_t masks[MOST_GRANULES];
};

static inline uint32_t *clock_at(const struct order *order, uint32_t place) {
  return order->clocks.items + (size_t)place * order->width;
}

/* order_happens_before(), which is asked very often. */
static inline bool happens_before(const struct order *order, uint32_t step, uint32_t later) {
  if (step >= later) return false;
  return clock_at(order, order->steps.items[later].clock)[order->steps.items[step].event.thread] > step;
}

/* ---- clocks and chains ---- */

#define CLOCK_STRIDE 4u /* the width of clocks is a multiple of it; no step has a number of more than 31 bits */
typedef int32_t clock_numbers __attribute__((vector_size(4 * CLOCK_STRIDE), aligned(4), may_alias));

static inline void join(const struct order *order, uint32_t *clock, uint32_t place) {
  const uint32_t *other = clock_at(order, place);
  for (uint32_t i = 0; i < order->width; i += CLOCK_STRIDE) {
    clock_numbers *const ours = (clock_numbers *)&clock[i];
    const clock_numbers theirs = *(const clock_numbers *)&other[i], is_less = *ours < theirs;
    *ours = (theirs & is_less) | (*ours & ~is_less);
  }
}

static inline bool knows(const struct order *order, const uint32_t *clock, uint32_t step) {
  return clock[order->steps.items[step].event.thread] > step;
}

static inline uint32_t slot_of(const struct order *order, uint64_t key) {
  uint32_t place = (uint32_t)(key * 0x9e3779b97f4a7c15ull >> 32) & (order->n_slots - 1);
  while (order->slots[place].used && order->slots[place].key != key) place = (place + 1) & (order->n_slots - 1);
  return place;
}

static inline bool is_wide(const struct event *event) {
  if (event_dependence_of(event) == DEPENDENCE_GLOBAL) return true;
  return event_class_of(event) == CLASS_MEMORY && event->size > 8 * (MOST_GRANULES - 1);
}

/* A plain access of memory in one granule, which waits for nothing: most events are. */
static inline bool is_small_access(const struct event *event) {
  const uint8_t unusual = EVENT_OF_ALL | EVENT_PARKED;
  return kind_has(event->kind, TRAIT_IS_ACCESS) && !(event->flags & unusual) && event->size - 1u < 8u &&
         (event->object & 7) + event->size <= 8;
}

/* Threads and descriptors have numbers, not addresses. */
#define NUMBERED_KEY(class) ((uint64_t)(class) << 61)
#define ALL_PORTS_KEY NUMBERED_KEY(3)

/* Does the step say who could have moved in its place? */
static inline bool says_who_could_move(const struct event *event) {
  return event_dependence_of(event) != DEPENDENCE_INDEPENDENT;
}

/* Finds the races of the event and makes its clock. */
void order_find_races(struct order *order, const struct event *event, const struct places *places, uint32_t *clock);

/* ---- order_chains.c ---- */

void order_grow_slots(struct order *order);
/* The chains that the event is in; then their slots. */
void order_find_places(const struct event *event, struct places *places);
void order_find_slots(struct order *order, struct places *places);
void order_add_entries(struct order *order, const struct places *places, const struct event *event, uint32_t step);
void order_memory_places(const struct event *event, struct places *places);
/* 1 + the newest entry of the chain before the step; of the whole chain, when the step is not in it. */
uint32_t order_newest_before(const struct order *order, uint64_t key, uint32_t step);
/* How many steps of the list come before `end`. */
size_t order_steps_before(const step_list *list, uint32_t end);
/* And how many come before the first that happens after `earlier`: all later ones do, too. */
size_t order_steps_not_after(const struct order *order, const step_list *list, uint32_t earlier);

#endif
