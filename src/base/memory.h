/* SPDX-License-Identifier: MIT
 *
 * Allocation that cannot fail: out of memory ends the process in one place, with one line, status 2, and nothing
 * is left behind (files.h, explore/executor/process.h).
 */
#ifndef HEDDLE_BASE_MEMORY_H
#define HEDDLE_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

void *memory_allocate(size_t size_bytes); /* zeroed */
void *memory_resize(void *memory, size_t size_bytes);
char *memory_copy_string(const char *string);
char *memory_copy_bytes(const char *bytes, size_t count); /* up to a zero byte, and adds one */
_Noreturn void memory_exhausted(void);
/* In place of the line on standard error. */
void memory_when_exhausted(void (*function)(const char *message));

/* VECTOR(type) is a growing array: `struct { type *items; size_t count, capacity; }`. A zeroed one is empty. The vector
 * owns its items array, not what the items point to. */
#define VECTOR(type)                                                                                                   \
  struct {                                                                                                             \
    type *items;                                                                                                       \
    size_t count, capacity;                                                                                            \
  }

#define vector_push(vector, item)                                                                                      \
  do {                                                                                                                 \
    if ((vector)->count == (vector)->capacity)                                                                         \
      (vector)->items = memory_grow((vector)->items, &(vector)->capacity, sizeof *(vector)->items);                    \
    (vector)->items[(vector)->count++] = (item);                                                                       \
  } while (0)

#define vector_free(vector)                                                                                            \
  do {                                                                                                                 \
    free((vector)->items);                                                                                             \
    (vector)->items = NULL;                                                                                            \
    (vector)->count = (vector)->capacity = 0;                                                                          \
  } while (0)

void *memory_grow(void *items, size_t *capacity, size_t item_bytes);

#endif
