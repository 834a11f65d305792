/* SPDX-License-Identifier: MIT
 *
 * A hash map from pointers to pointers. A zeroed map is empty. It is never iterated, so addresses decide nothing.
 */
#ifndef HEDDLE_INSTRUMENT_MAP_H
#define HEDDLE_INSTRUMENT_MAP_H

#include <stddef.h>

struct map_entry {
  const void *key; /* NULL = empty place */
  void *value;
};

struct map {
  struct map_entry *entries;
  size_t count, capacity; /* capacity is a power of two */
};

void *map_get(const struct map *map, const void *key); /* NULL if absent */
void map_put(struct map *map, const void *key, void *value);
void map_free(struct map *map);

#endif
