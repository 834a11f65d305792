/* SPDX-License-Identifier: MIT */
#include "explore/con2colic/supplies.h"

#include "base/hash.h"

#include <stdlib.h>

void supplies_free(struct supplies *self) {
  for (size_t i = 0; i < self->items.count; i++) {
    vector_free(&self->items.items[i].sources);
    vector_free(&self->items.items[i].waits);
  }
  vector_free(&self->items);
  id_index_free(&self->index);
}

struct supply *supplies_of(struct supplies *self, enum need_kind kind, uint64_t object) {
  const uint64_t hash = hash_mix(object, kind + 1);
  struct id_search search = id_index_search(&self->index, hash);
  for (uint32_t id; (id = id_search_next(&search));) {
    struct supply *supply = &self->items.items[id - 1];
    if (supply->kind == kind && supply->object == object) return supply;
  }
  vector_push(&self->items, ((struct supply){.kind = kind, .object = object}));
  id_index_add(&self->index, (uint32_t)self->items.count, hash);
  return &self->items.items[self->items.count - 1];
}
