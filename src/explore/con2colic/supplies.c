/* SPDX-License-Identifier: MIT */
#include "explore/con2colic/supplies.h"

#include "base/number_set.h"

#include <stdlib.h>

void supplies_free(struct supplies *self) {
  for (size_t i = 0; i < self->items.count; i++) {
    vector_free(&self->items.items[i].sources);
    vector_free(&self->items.items[i].waits);
  }
  vector_free(&self->items);
  free(self->slots);
}

static uint64_t key_of(enum need_kind kind, uint64_t object) {
  return hash_mix(object, kind + 1);
}

static void enlarge_slots(struct supplies *self) {
  free(self->slots);
  self->n_slots = self->n_slots ? 2 * self->n_slots : 256;
  self->slots = memory_allocate(self->n_slots * sizeof *self->slots);
  for (size_t i = 0; i < self->items.count; i++) {
    size_t at = self->items.items[i].key & (self->n_slots - 1);
    while (self->slots[at]) at = (at + 1) & (self->n_slots - 1);
    self->slots[at] = (uint32_t)i + 1;
  }
}

struct supply *supplies_of(struct supplies *self, enum need_kind kind, uint64_t object) {
  const uint64_t key = key_of(kind, object);
  if (2 * self->items.count >= self->n_slots) enlarge_slots(self);
  size_t at = key & (self->n_slots - 1);
  for (; self->slots[at]; at = (at + 1) & (self->n_slots - 1)) {
    struct supply *supply = &self->items.items[self->slots[at] - 1];
    if (supply->kind == kind && supply->object == object) return supply;
  }
  vector_push(&self->items, ((struct supply){.key = key, .kind = kind, .object = object}));
  self->slots[at] = (uint32_t)self->items.count;
  return &self->items.items[self->items.count - 1];
}
