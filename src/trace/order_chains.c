/* SPDX-License-Identifier: MIT
 *
 * Chains of the steps that touched the same eight bytes of memory, or an object in them, the newest first. A hash table
 * has the newest of each chain; entries are a stack, so that taking back the last step only shortens it.
 */
#include "trace/order_internal.h"

#include <stdlib.h>

#define FIRST_SLOTS 256u

void order_grow_slots(struct order *order) {
  struct slot *const old = order->slots;
  const uint32_t n_old = order->n_slots;
  order->n_slots = n_old ? n_old * 2 : FIRST_SLOTS;
  order->slots = memory_allocate(order->n_slots * sizeof *order->slots);
  for (uint32_t i = 0; i < n_old; i++) {
    if (!old[i].used) continue;
    const uint32_t place = slot_of(order, old[i].key);
    order->slots[place] = old[i];
    for (uint32_t e = old[i].newest; e; e = order->entries.items[e - 1].previous)
      order->entries.items[e - 1].slot = place;
  }
  free(old);
}

static inline uint32_t use_slot(struct order *order, uint64_t key) {
  const uint32_t place = slot_of(order, key);
  if (!order->slots[place].used) {
    order->slots[place] = (struct slot){.key = key, .used = true};
    order->n_used++;
  }
  return place;
}

static void add_place(struct places *places, uint64_t key, uint8_t mask) {
  places->keys[places->count] = key;
  places->masks[places->count++] = mask;
}

void order_memory_places(const struct event *event, struct places *places) {
  const uint64_t end = event->object + event->size;
  for (uint64_t granule = event->object & ~7ull; granule < end; granule += 8) {
    const uint64_t from = event->object > granule ? event->object - granule : 0;
    const uint64_t to = end < granule + 8 ? end - granule : 8;
    add_place(places, granule >> 3, (uint8_t)((0xffu >> (8 - to)) & (0xffu << from)));
  }
}

static void find_other_places(const struct event *event, struct places *places) {
  if (event_dependence_of(event) == DEPENDENCE_INDEPENDENT || is_wide(event)) return;
  switch (event_class_of(event)) {
  case CLASS_MEMORY: order_memory_places(event, places); return;
  case CLASS_THREAD: add_place(places, NUMBERED_KEY(1) + event->object, 0xff); return;
  case CLASS_DESCRIPTOR: add_place(places, NUMBERED_KEY(2) + event->object, 0xff); return;
  case CLASS_NOTHING: return;
  case CLASS_FUTEX: add_place(places, event->object >> 3, (uint8_t)(0xfu << (event->object & 7))); return;
  case CLASS_PORT: add_place(places, ALL_PORTS_KEY, 0xff); /* a selective wait has many */ /* fall through */
  default: add_place(places, event->object >> 3, 0xff);
  }
  const uint64_t mutex = event_mutex(event);
  if (mutex && mutex >> 3 != event->object >> 3) add_place(places, mutex >> 3, 0xff);
}

void order_find_places(const struct event *event, struct places *places) {
  places->count = 0;
  places->is_small = is_small_access(event);
  if (places->is_small)
    add_place(places, event->object >> 3, (uint8_t)(((1u << event->size) - 1) << (event->object & 7)));
  else
    find_other_places(event, places);
}

/* The slots of the chains that the event is in. */
void order_find_slots(struct order *order, struct places *places) {
  while ((order->n_used + places->count) * 2 > order->n_slots) order_grow_slots(order);
  for (uint32_t i = 0; i < places->count; i++) places->slots[i] = use_slot(order, places->keys[i]);
}

void order_add_entries(struct order *order, const struct places *places, const struct event *event, uint32_t step) {
  const bool is_memory = event_class_of(event) == CLASS_MEMORY;
  const uint8_t access = is_memory                 ? (uint8_t)event_dependence_of(event)
                         : event_reads_word(event) ? (uint8_t)DEPENDENCE_READS
                                                   : NOT_MEMORY;
  for (uint32_t i = 0; i < places->count; i++) {
    const uint32_t place = places->slots[i];
    const struct entry entry = {.step = step,
                                .slot = place,
                                .previous = order->slots[place].newest,
                                .thread = event->thread,
                                .mask = places->masks[i],
                                .access = access};
    vector_push(&order->entries, entry);
    order->slots[place].newest = (uint32_t)order->entries.count;
  }
}

/* 1 + the newest entry of the chain before the step; of the whole chain, when the step is not in it. */
uint32_t order_newest_before(const struct order *order, uint64_t key, uint32_t step) {
  const uint32_t place = slot_of(order, key);
  if (step >= order->steps.count) return order->slots[place].newest;
  for (uint32_t e = order->steps.items[step].entries; e < order->entries.count; e++) {
    const struct entry *entry = &order->entries.items[e];
    if (entry->step != step) break;
    if (entry->slot == place) return entry->previous;
  }
  return order->slots[place].newest;
}

/* How many steps of the list come before `end`. */
size_t order_steps_before(const step_list *list, uint32_t end) {
  size_t low = 0, high = list->count;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (list->items[middle] < end)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* Where the steps of a thread happen after `earlier`, all later ones do. */
size_t order_steps_not_after(const struct order *order, const step_list *list, uint32_t earlier) {
  size_t low = order_steps_before(list, earlier + 1), high = list->count;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (happens_before(order, earlier, list->items[middle]))
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}
