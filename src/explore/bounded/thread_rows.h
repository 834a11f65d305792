/* SPDX-License-Identifier: MIT
 *
 * Rows of numbers, one number for each thread. Each row that there is has a number, its id, and is kept once: classes,
 * edges and steps have many rows in common. Rows do not change. The row with the id 0 has only zeros.
 */
#ifndef HEDDLE_EXPLORE_BOUNDED_THREAD_ROWS_H
#define HEDDLE_EXPLORE_BOUNDED_THREAD_ROWS_H

#include "base/id_index.h"
#include "base/memory.h"

#include <stdbool.h>

typedef uint32_t row_id;

struct thread_rows {
  uint32_t *numbers;
  size_t n_rows, capacity; /* capacity in numbers */
  uint32_t width;          /* threads */
  struct id_index index;
  uint32_t *made; /* a row in the making, `width` numbers */
};

void thread_rows_init(struct thread_rows *self);
void thread_rows_free(struct thread_rows *self);
/* There is such a thread. */
void thread_rows_know_thread(struct thread_rows *self, uint32_t thread);

/* Valid until a row is made, or a thread gets known. */
static inline const uint32_t *row_at(const struct thread_rows *self, row_id row) {
  return self->numbers + row * (size_t)self->width;
}

/* The row with another number for the thread. */
row_id thread_rows_change(struct thread_rows *self, row_id row, uint32_t thread, uint32_t number);
/* The larger number of both, for each thread. */
row_id thread_rows_join(struct thread_rows *self, row_id a, row_id b);

#endif
