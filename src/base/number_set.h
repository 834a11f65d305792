/* SPDX-License-Identifier: MIT
 *
 * A set of 64-bit numbers, usually hashes. A zeroed set is empty.
 */
#ifndef HEDDLE_BASE_NUMBER_SET_H
#define HEDDLE_BASE_NUMBER_SET_H

#include "base/hash.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct number_set {
  uint64_t *slots; /* as in number_map.h, without values */
  size_t size, count;
  bool has_zero;
};

/* False: it was there already. */
bool number_set_add(struct number_set *set, uint64_t number);
bool number_set_has(const struct number_set *set, uint64_t number);
void number_set_free(struct number_set *set);

#endif
