/* SPDX-License-Identifier: MIT
 *
 * Finds ids by a hash of what they stand for. Whether an id is the one looked for, its owner says:
 *
 *     struct id_search search = id_index_search(&index, hash);
 *     while ((id = id_search_next(&search)))
 *       if (is_equal(&items[id], wanted)) return id;
 *     id_index_add(&index, new_id, hash);
 *
 * Ids are not 0. A zeroed index is empty. Nothing is removed but everything. While an index is searched, nothing may be
 * added. Where the key is a number, number_map.h is simpler.
 */
#ifndef HEDDLE_BASE_ID_INDEX_H
#define HEDDLE_BASE_ID_INDEX_H

#include <stddef.h>
#include <stdint.h>

struct id_slot {
  uint32_t id; /* 0: an empty slot */
  uint32_t hash;
};

struct id_index {
  struct id_slot *slots; /* open addressing, linear probing */
  size_t size, count;    /* the size is a power of two */
};

struct id_search {
  const struct id_index *index;
  size_t place;
  uint32_t hash;
};

void id_index_add(struct id_index *index, uint32_t id, uint64_t hash);
void id_index_clear(struct id_index *index); /* its memory stays */
void id_index_free(struct id_index *index);

static inline struct id_search id_index_search(const struct id_index *index, uint64_t hash) {
  return (struct id_search){index, (uint32_t)hash, (uint32_t)hash};
}

/* The next id with the hash, 0: there is none. */
static inline uint32_t id_search_next(struct id_search *search) {
  const struct id_index *index = search->index;
  if (index->size == 0) return 0;
  for (;;) {
    const struct id_slot slot = index->slots[search->place++ & (index->size - 1)];
    if (slot.id == 0 || slot.hash == search->hash) return slot.id;
  }
}

#endif
