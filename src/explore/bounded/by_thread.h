/* SPDX-License-Identifier: MIT
 *
 * Rows of numbers, one number for each thread; all are 0 to begin with.
 */
#ifndef HEDDLE_EXPLORE_BOUNDED_BY_THREAD_H
#define HEDDLE_EXPLORE_BOUNDED_BY_THREAD_H

#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct by_thread {
  uint32_t *numbers;
  size_t n_rows, capacity; /* capacity in numbers */
  uint32_t width;          /* threads */
};

static inline uint32_t *by_thread_row(const struct by_thread *self, size_t row) {
  return self->numbers + row * self->width;
}

static inline void by_thread_reserve(struct by_thread *self, size_t n_numbers) {
  while (self->capacity < n_numbers) self->numbers = memory_grow(self->numbers, &self->capacity, sizeof *self->numbers);
}

static inline void by_thread_add_row(struct by_thread *self) {
  by_thread_reserve(self, (self->n_rows + 1) * self->width);
  memset(by_thread_row(self, self->n_rows++), 0, self->width * sizeof *self->numbers);
}

/* Makes rows longer, the last first. */
static inline void by_thread_widen(struct by_thread *self, uint32_t width) {
  const uint32_t old = self->width;
  if (width <= old) return;
  by_thread_reserve(self, self->n_rows * width);
  for (size_t row = self->n_rows; row-- > 0;) {
    memmove(self->numbers + row * width, self->numbers + row * old, old * sizeof *self->numbers);
    memset(self->numbers + row * width + old, 0, (width - old) * sizeof *self->numbers);
  }
  self->width = width;
}

static inline void by_thread_free(struct by_thread *self) {
  free(self->numbers);
  *self = (struct by_thread){0};
}

#endif
