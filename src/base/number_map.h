/* SPDX-License-Identifier: MIT
 *
 * NUMBER_MAP(type) is a hash map from 64-bit numbers other than 0 to values of the type:
 *
 *     NUMBER_MAP(term_id) results = {0};                 a zeroed map is empty
 *     *number_map_add(&results, key) = term;             the value of the key, zeroed if the key is new
 *     term_id *known = number_map_find(&results, key);   NULL: the key has no value
 *     number_map_free(&results);
 *
 * Pointers to values are valid until the next key is added. A map is never gone through, so no order depends on it.
 * Where the key is more than a number, id_index.h finds what has it.
 */
#ifndef HEDDLE_BASE_NUMBER_MAP_H
#define HEDDLE_BASE_NUMBER_MAP_H

#include "base/hash.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#define NUMBER_MAP(type)                                                                                               \
  struct {                                                                                                             \
    struct {                                                                                                           \
      uint64_t key; /* 0: an empty slot */                                                                             \
      type value;                                                                                                      \
    } * slots;          /* open addressing, linear probing; at most three quarters are in use */                       \
    size_t size, count; /* the size is a power of two */                                                               \
  }

#define number_map_find(map, key)                                                                                      \
  ((__typeof__(&(map)->slots->value))number_slots_find((map)->slots, (map)->size, sizeof *(map)->slots,                \
                                                       offsetof(__typeof__(*(map)->slots), value), (key)))

#define number_map_add(map, key)                                                                                       \
  ((map)->slots = number_slots_make_room((map)->slots, &(map)->size, (map)->count, sizeof *(map)->slots),              \
   &(map)->slots[number_slots_take((map)->slots, (map)->size, &(map)->count, sizeof *(map)->slots, (key))].value)

#define number_map_free(map)                                                                                           \
  do {                                                                                                                 \
    free((map)->slots);                                                                                                \
    (map)->slots = NULL;                                                                                               \
    (map)->size = (map)->count = 0;                                                                                    \
  } while (0)

/* ---- what maps and sets of numbers are made of: slots that begin with their key ---- */

/* The number of the slot that has the key, or of the empty one where it belongs. There is an empty one. */
static inline size_t number_slots_place(const void *slots, size_t size, size_t slot_bytes, uint64_t key) {
  for (size_t place = hash_mix(0, key);; place++) {
    const uint64_t *slot = (const uint64_t *)((const char *)slots + (place & (size - 1)) * slot_bytes);
    if (*slot == key || *slot == 0) return place & (size - 1);
  }
}

/* What is at the offset in the key's slot; NULL: no slot has the key. */
static inline void *number_slots_find(void *slots, size_t size, size_t slot_bytes, size_t offset, uint64_t key) {
  if (size == 0) return NULL;
  char *slot = (char *)slots + number_slots_place(slots, size, slot_bytes, key) * slot_bytes;
  return *(const uint64_t *)slot ? slot + offset : NULL;
}

void *number_slots_grow(void *slots, size_t *size, size_t slot_bytes);

/* Slots in which one more key has room, in place of the given ones. */
static inline void *number_slots_make_room(void *slots, size_t *size, size_t count, size_t slot_bytes) {
  return 4 * (count + 1) > 3 * *size ? number_slots_grow(slots, size, slot_bytes) : slots;
}

/* The number of the key's slot, which has it from now on. */
static inline size_t number_slots_take(void *slots, size_t size, size_t *count, size_t slot_bytes, uint64_t key) {
  const size_t place = number_slots_place(slots, size, slot_bytes, key);
  uint64_t *slot = (uint64_t *)((char *)slots + place * slot_bytes);
  if (*slot == 0) ++*count;
  *slot = key;
  return place;
}

#endif
