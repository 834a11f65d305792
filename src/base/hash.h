/* SPDX-License-Identifier: MIT */
#ifndef HEDDLE_BASE_HASH_H
#define HEDDLE_BASE_HASH_H

#include <stdint.h>

/* A hash of a sequence: start with any number, then mix in one after the other. */
static inline uint64_t hash_mix(uint64_t hash, uint64_t number) {
  hash = (hash ^ number) * 0xff51afd7ed558ccdull;
  return (hash ^ hash >> 32) + 0x9e3779b97f4a7c15ull;
}

#endif
