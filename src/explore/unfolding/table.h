/* SPDX-License-Identifier: MIT
 *
 * A table of ids that are found by a hash of what they stand for. The owner decides whether an id is the one it looks
 * for:
 *
 *     for (uint32_t i = id_table_first(table, hash); table->slots[i].id; i = id_table_next(table, i))
 *       if (is_it(table->slots[i].id)) return ...
 *
 * Call id_table_init on a zeroed table first. Ids are not 0.
 */
#ifndef HEDDLE_EXPLORE_UNFOLDING_TABLE_H
#define HEDDLE_EXPLORE_UNFOLDING_TABLE_H

#include <stdint.h>

struct id_slot {
  uint32_t id, hash;
};

struct id_table {
  struct id_slot *slots; /* open addressing */
  uint32_t size, count;
};

void id_table_init(struct id_table *table);
void id_table_free(struct id_table *table);
void id_table_add(struct id_table *table, uint32_t id, uint64_t hash);

static inline uint32_t id_table_first(const struct id_table *table, uint64_t hash) {
  return (uint32_t)hash & (table->size - 1);
}

static inline uint32_t id_table_next(const struct id_table *table, uint32_t place) {
  return (place + 1) & (table->size - 1);
}

#endif
