/* SPDX-License-Identifier: MIT */
#include "base/number_set.h"

#include "base/memory.h"

#include <stdlib.h>

#define FIRST_SIZE 64

/* The slot that holds the number, or the empty one where it belongs. */
static uint64_t *slot_of(const struct number_set *set, uint64_t number) {
  size_t place = hash_mix(0, number) & (set->size - 1);
  while (set->slots[place] && set->slots[place] != number) place = (place + 1) & (set->size - 1);
  return &set->slots[place];
}

static void grow(struct number_set *set) {
  const struct number_set old = *set;
  set->size = old.size ? 2 * old.size : FIRST_SIZE;
  set->slots = memory_allocate(set->size * sizeof *set->slots);
  for (size_t i = 0; i < old.size; i++)
    if (old.slots[i]) *slot_of(set, old.slots[i]) = old.slots[i];
  free(old.slots);
}

bool number_set_add(struct number_set *set, uint64_t number) {
  if (number == 0) {
    const bool added = !set->has_zero;
    set->has_zero = true;
    return added;
  }
  if (4 * (set->count + 1) > 3 * set->size) grow(set);
  uint64_t *slot = slot_of(set, number);
  if (*slot) return false;
  *slot = number;
  set->count++;
  return true;
}

bool number_set_has(const struct number_set *set, uint64_t number) {
  if (number == 0) return set->has_zero;
  return set->size > 0 && *slot_of(set, number) != 0;
}

void number_set_free(struct number_set *set) {
  free(set->slots);
  *set = (struct number_set){0};
}
