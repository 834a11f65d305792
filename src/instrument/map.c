/* SPDX-License-Identifier: MIT
 *
 * Open addressing with linear probing; at most half of the places are used.
 */
#include "instrument/map.h"

#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>

static struct map_entry *place_of(const struct map *map, const void *key) {
  size_t place = ((uintptr_t)key >> 3) * 0x9e3779b97f4a7c15ull >> 20;
  for (;; place++) {
    struct map_entry *entry = &map->entries[place & (map->capacity - 1)];
    if (entry->key == key || !entry->key) return entry;
  }
}

static void grow(struct map *map) {
  const struct map old = *map;
  map->capacity = old.capacity ? 2 * old.capacity : 16;
  map->entries = memory_allocate(map->capacity * sizeof *map->entries);
  for (size_t i = 0; i < old.capacity; i++)
    if (old.entries[i].key) *place_of(map, old.entries[i].key) = old.entries[i];
  free(old.entries);
}

void *map_get(const struct map *map, const void *key) {
  return map->capacity ? place_of(map, key)->value : NULL;
}

void map_put(struct map *map, const void *key, void *value) {
  if (2 * map->count >= map->capacity) grow(map);
  struct map_entry *entry = place_of(map, key);
  if (!entry->key) map->count++;
  entry->key = key;
  entry->value = value;
}

void map_free(struct map *map) {
  free(map->entries);
  *map = (struct map){0};
}
