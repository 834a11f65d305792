/* SPDX-License-Identifier: MIT */
#include "explore/unfolding/table.h"

#include "base/memory.h"

#include <stdlib.h>

#define FIRST_SIZE 64

static void make(struct id_table *table, uint32_t size) {
  *table = (struct id_table){.slots = memory_allocate(size * sizeof *table->slots), .size = size};
}

void id_table_init(struct id_table *table) {
  make(table, FIRST_SIZE);
}

void id_table_free(struct id_table *table) {
  free(table->slots);
}

static void put(struct id_table *table, struct id_slot slot) {
  uint32_t place = id_table_first(table, slot.hash);
  while (table->slots[place].id) place = id_table_next(table, place);
  table->slots[place] = slot;
  table->count++;
}

static void grow(struct id_table *table) {
  const struct id_table old = *table;
  make(table, 2 * old.size);
  for (uint32_t i = 0; i < old.size; i++)
    if (old.slots[i].id) put(table, old.slots[i]);
  free(old.slots);
}

void id_table_add(struct id_table *table, uint32_t id, uint64_t hash) {
  if (2 * table->count >= table->size) grow(table);
  put(table, (struct id_slot){id, (uint32_t)hash});
}
