/* SPDX-License-Identifier: MIT */
#include "instrument/map.h"

void *map_get(const struct map *map, const void *key) {
  void **value = number_map_find(&map->values, (uintptr_t)key);
  return value ? *value : NULL;
}

void map_put(struct map *map, const void *key, void *value) {
  *number_map_add(&map->values, (uintptr_t)key) = value;
}

void map_free(struct map *map) {
  number_map_free(&map->values);
}
