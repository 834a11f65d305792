/* SPDX-License-Identifier: MIT */
#include "base/number_set.h"

#include "base/number_map.h"

bool number_set_add(struct number_set *set, uint64_t number) {
  if (number == 0) {
    const bool added = !set->has_zero;
    set->has_zero = true;
    return added;
  }
  const size_t count = set->count;
  set->slots = number_slots_make_room(set->slots, &set->size, set->count, sizeof *set->slots);
  number_slots_take(set->slots, set->size, &set->count, sizeof *set->slots, number);
  return set->count > count;
}

bool number_set_has(const struct number_set *set, uint64_t number) {
  if (number == 0) return set->has_zero;
  return number_slots_find(set->slots, set->size, sizeof *set->slots, 0, number) != NULL;
}

void number_set_free(struct number_set *set) {
  free(set->slots);
  *set = (struct number_set){0};
}
