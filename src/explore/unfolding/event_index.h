/* SPDX-License-Identifier: MIT
 *
 * Finds events of a net by what they follow. A net grows at its newest events, and what is looked for mostly follows
 * one of these. So an event lies near a place that the number of the event before it names: places for new events are
 * next to each other, and in the cache. Where there is no room near, because many events follow one, it lies where its
 * hash says.
 */
#ifndef HEDDLE_EXPLORE_UNFOLDING_EVENT_INDEX_H
#define HEDDLE_EXPLORE_UNFOLDING_EVENT_INDEX_H

#include <stddef.h>
#include <stdint.h>

struct net;

struct event_slot {
  uint32_t event; /* 0: an empty slot */
  uint32_t hash;
};

struct event_index {
  struct event_slot *slots;
  size_t size, count; /* the size is a power of two */
};

#define NEAR_SLOTS 8

/* Goes through the events that may be the one with the hash that follows `previous`. */
struct event_search {
  const struct event_index *index;
  size_t near, far; /* places */
  int tried;        /* of those near */
  uint32_t hash;
};

void event_index_free(struct event_index *index);
/* Adds an event of the net. */
void event_index_add(struct net *net, uint32_t event, uint64_t hash);

static inline struct event_search event_index_search(const struct event_index *index, uint32_t previous,
                                                     uint64_t hash) {
  return (struct event_search){index, 2 * (size_t)previous, (uint32_t)hash, 0, (uint32_t)hash};
}

static inline const struct event_slot *event_search_slot(struct event_search *search) {
  const size_t place = search->tried < NEAR_SLOTS ? search->near + (size_t)search->tried++ : search->far++;
  return &search->index->slots[place & (search->index->size - 1)];
}

/* The next one, 0: there is none. */
static inline uint32_t event_search_next(struct event_search *search) {
  if (search->index->size == 0) return 0;
  for (;;) {
    const struct event_slot *slot = event_search_slot(search);
    if (slot->event == 0 || slot->hash == search->hash) return slot->event;
  }
}

#endif
