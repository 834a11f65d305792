/* SPDX-License-Identifier: MIT */
#include "base/number_map.h"

#include "base/memory.h"

#include <string.h>

#define FIRST_SIZE 16

void *number_slots_grow(void *slots, size_t *size, size_t slot_bytes) {
  const char *old = slots;
  const size_t new_size = *size ? 2 * *size : FIRST_SIZE;
  char *new = memory_allocate(new_size * slot_bytes);
  for (size_t i = 0; i < *size; i++) {
    const char *slot = old + i * slot_bytes;
    const uint64_t key = *(const uint64_t *)slot;
    if (key) memcpy(new + number_slots_place(new, new_size, slot_bytes, key) * slot_bytes, slot, slot_bytes);
  }
  free(slots);
  *size = new_size;
  return new;
}
