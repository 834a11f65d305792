/* SPDX-License-Identifier: MIT
 *
 * What is known before the first step: the values of variables where the threads are created, and the tokens of
 * semaphores.
 */
#include "base/number_set.h"
#include "explore/con2colic/realise_internal.h"

#include <stdlib.h>

/* Where it is, or would be. */
static uint32_t *initial_slot(const struct initial_table *table, node_id fork, uint64_t address) {
  size_t at = hash_mix(address, fork) & (table->n_slots - 1);
  for (; table->slots[at]; at = (at + 1) & (table->n_slots - 1)) {
    const struct initial *item = &table->items.items[table->slots[at] - 1];
    if (item->address == address && item->fork == fork) break;
  }
  return &table->slots[at];
}

static void enlarge_initials(struct initial_table *table) {
  free(table->slots);
  table->n_slots = table->n_slots ? 2 * table->n_slots : 64;
  table->slots = memory_allocate(table->n_slots * sizeof *table->slots);
  for (size_t i = 0; i < table->items.count; i++)
    *initial_slot(table, table->items.items[i].fork, table->items.items[i].address) = (uint32_t)i + 1;
}

struct initial *realiser_find_initial(const struct initial_table *table, node_id fork, uint64_t address) {
  if (table->n_slots == 0) return NULL;
  const uint32_t slot = *initial_slot(table, fork, address);
  return slot ? &table->items.items[slot - 1] : NULL;
}

void realiser_learn_initial(struct realiser *self, node_id fork, uint64_t address, term_id term) {
  if (realiser_find_initial(self->initials, fork, address)) return;
  vector_push(&self->initials->items, ((struct initial){fork, address, term}));
  if (2 * self->initials->items.count > self->initials->n_slots)
    enlarge_initials(self->initials);
  else
    *initial_slot(self->initials, fork, address) = (uint32_t)self->initials->items.count;
}

void realiser_learn_tokens(struct realiser *self, uint64_t semaphore, uint64_t tokens) {
  for (size_t i = 0; i < self->initials->tokens.count; i++)
    if (self->initials->tokens.items[i].address == semaphore) return;
  vector_push(&self->initials->tokens, ((struct initial){0, semaphore, (term_id)tokens}));
}
