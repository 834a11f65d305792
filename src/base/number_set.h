/* SPDX-License-Identifier: MIT
 *
 * A set of 64-bit numbers, usually hashes. A zeroed set is empty.
 */
#ifndef HEDDLE_BASE_NUMBER_SET_H
#define HEDDLE_BASE_NUMBER_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct number_set {
  uint64_t *slots; /* open addressing; 0 is an empty slot */
  size_t size, count;
  bool has_zero;
};

/* False: it was there already. */
bool number_set_add(struct number_set *set, uint64_t number);
bool number_set_has(const struct number_set *set, uint64_t number);
void number_set_free(struct number_set *set);

/* A hash of a sequence: start with any number, then mix in one after the other. */
static inline uint64_t hash_mix(uint64_t hash, uint64_t number) {
  hash = (hash ^ number) * 0xff51afd7ed558ccdull;
  return (hash ^ hash >> 32) + 0x9e3779b97f4a7c15ull;
}

#endif
