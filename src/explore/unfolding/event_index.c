/* SPDX-License-Identifier: MIT */
#include "explore/unfolding/event_index.h"

#include "explore/unfolding/net.h"

#include <stdlib.h>

#define FIRST_SIZE 64

void event_index_free(struct event_index *index) {
  free(index->slots);
  *index = (struct event_index){0};
}

/* In the first empty slot that a search comes to: nothing is ever removed, so that it finds the event there. */
static void put(struct net *net, struct event_slot slot) {
  struct event_search search = event_index_search(&net->event_index, net->events.items[slot.event].previous, slot.hash);
  const struct event_slot *place;
  do place = event_search_slot(&search);
  while (place->event);
  net->event_index.slots[place - net->event_index.slots] = slot;
}

static void grow(struct net *net) {
  struct event_index *index = &net->event_index;
  const struct event_index old = *index;
  index->size = old.size ? 2 * old.size : FIRST_SIZE;
  index->slots = memory_allocate(index->size * sizeof *index->slots);
  for (size_t i = 0; i < old.size; i++)
    if (old.slots[i].event) put(net, old.slots[i]);
  free(old.slots);
}

void event_index_add(struct net *net, uint32_t event, uint64_t hash) {
  struct event_index *index = &net->event_index;
  if (4 * (index->count + 1) > 3 * index->size) grow(net);
  put(net, (struct event_slot){event, (uint32_t)hash});
  index->count++;
}
