/* SPDX-License-Identifier: MIT */
#include "explore/bounded/thread_rows.h"

#include <stdlib.h>
#include <string.h>

#define FEW_THREADS 4u

static uint32_t *row_in(struct thread_rows *self, size_t row) {
  return self->numbers + row * self->width;
}

static void reserve(struct thread_rows *self, size_t n_numbers) {
  while (self->capacity < n_numbers) self->numbers = memory_grow(self->numbers, &self->capacity, sizeof *self->numbers);
}

void thread_rows_init(struct thread_rows *self) {
  *self = (struct thread_rows){.width = FEW_THREADS, .n_rows = 1};
  reserve(self, FEW_THREADS);
  memset(self->numbers, 0, FEW_THREADS * sizeof *self->numbers);
  self->made = memory_allocate(FEW_THREADS * sizeof *self->made);
}

void thread_rows_free(struct thread_rows *self) {
  free(self->numbers);
  free(self->made);
  id_index_free(&self->index);
}

/* Makes rows longer, the last first. */
void thread_rows_know_thread(struct thread_rows *self, uint32_t thread) {
  const uint32_t old = self->width, width = thread + 1;
  if (width <= old) return;
  reserve(self, self->n_rows * (size_t)width);
  for (size_t row = self->n_rows; row-- > 0;) {
    memmove(self->numbers + row * width, self->numbers + row * old, old * sizeof *self->numbers);
    memset(self->numbers + row * width + old, 0, (width - old) * sizeof *self->numbers);
  }
  self->width = width;
  free(self->made);
  self->made = memory_allocate(width * sizeof *self->made);
}

static uint64_t scramble(uint64_t x) {
  x = (x ^ x >> 31) * 0x9e3779b97f4a7c15ull;
  return (x ^ x >> 29) * 0xbf58476d1ce4e5b9ull;
}

/* Zeros do not count: a row is the same when it is longer. */
static uint64_t hash_of(const struct thread_rows *self, const uint32_t *numbers) {
  uint64_t hash = 0;
  for (uint32_t i = 0; i < self->width; i++)
    if (numbers[i]) hash += scramble((uint64_t)i << 32 | numbers[i]);
  return hash ^ hash >> 32;
}

/* The id of the row in the making. */
static row_id find_made(struct thread_rows *self) {
  const size_t bytes = self->width * sizeof *self->made;
  const uint64_t hash = hash_of(self, self->made);
  struct id_search search = id_index_search(&self->index, hash);
  row_id row;
  if (memcmp(self->made, row_at(self, 0), bytes) == 0) return 0;
  while ((row = id_search_next(&search)))
    if (memcmp(self->made, row_at(self, row), bytes) == 0) return row;
  row = (row_id)self->n_rows++;
  reserve(self, self->n_rows * self->width);
  memcpy(row_in(self, row), self->made, bytes);
  id_index_add(&self->index, row, hash);
  return row;
}

row_id thread_rows_change(struct thread_rows *self, row_id row, uint32_t thread, uint32_t number) {
  memcpy(self->made, row_at(self, row), self->width * sizeof *self->made);
  self->made[thread] = number;
  return find_made(self);
}

row_id thread_rows_join(struct thread_rows *self, row_id a, row_id b) {
  const uint32_t *ours = row_at(self, a), *theirs = row_at(self, b);
  bool has_grown = false;
  if (a == b || b == 0) return a;
  for (uint32_t i = 0; i < self->width; i++) {
    self->made[i] = theirs[i] > ours[i] ? theirs[i] : ours[i];
    has_grown |= theirs[i] > ours[i];
  }
  return has_grown ? find_made(self) : a;
}
