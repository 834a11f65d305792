/* SPDX-License-Identifier: MIT
 *
 * A hash map from pointers to pointers. A zeroed map is empty.
 */
#ifndef HEDDLE_INSTRUMENT_MAP_H
#define HEDDLE_INSTRUMENT_MAP_H

#include "base/number_map.h"

struct map {
  NUMBER_MAP(void *) values; /* by address */
};

void *map_get(const struct map *map, const void *key); /* NULL if absent */
void map_put(struct map *map, const void *key, void *value);
void map_free(struct map *map);

#endif
