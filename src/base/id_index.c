/* SPDX-License-Identifier: MIT */
#include "base/id_index.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_SIZE 64

static void put(struct id_index *index, struct id_slot slot) {
  size_t place = slot.hash;
  while (index->slots[place & (index->size - 1)].id) place++;
  index->slots[place & (index->size - 1)] = slot;
}

static void grow(struct id_index *index) {
  const struct id_index old = *index;
  index->size = old.size ? 2 * old.size : FIRST_SIZE;
  index->slots = memory_allocate(index->size * sizeof *index->slots);
  for (size_t i = 0; i < old.size; i++)
    if (old.slots[i].id) put(index, old.slots[i]);
  free(old.slots);
}

void id_index_add(struct id_index *index, uint32_t id, uint64_t hash) {
  if (4 * (index->count + 1) > 3 * index->size) grow(index);
  put(index, (struct id_slot){id, (uint32_t)hash});
  index->count++;
}

void id_index_clear(struct id_index *index) {
  if (index->count > 0) memset(index->slots, 0, index->size * sizeof *index->slots);
  index->count = 0;
}

void id_index_free(struct id_index *index) {
  free(index->slots);
  *index = (struct id_index){0};
}
