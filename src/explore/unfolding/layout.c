/* SPDX-License-Identifier: MIT */
#include "explore/unfolding/layout.h"

#include <stdlib.h>
#include <string.h>

void layout_free(struct layout *layout) {
  vector_free(&layout->cells);
  vector_free(&layout->life);
  vector_free(&layout->sync);
  vector_free(&layout->robust);
  joins_free(&layout->joins);
}

uint32_t layout_find(const struct layout *layout, uint64_t address) {
  size_t low = 0, high = layout->cells.count;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (layout->cells.items[middle].end <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return (uint32_t)low;
}

static void insert(struct layout *layout, uint32_t place, struct cell cell) {
  vector_push(&layout->cells, cell);
  memmove(&layout->cells.items[place + 1], &layout->cells.items[place],
          (layout->cells.count - 1 - place) * sizeof cell);
  layout->cells.items[place] = cell;
}

/* No cell goes across the address. False: one did. */
static bool divide(struct layout *layout, uint64_t address) {
  const uint32_t place = layout_find(layout, address);
  if (place == layout->cells.count || layout->cells.items[place].start >= address) return true;
  const struct cell behind = {address, layout->cells.items[place].end};
  layout->cells.items[place].end = address;
  insert(layout, place + 1, behind);
  return false;
}

/* Memory that is freed or initialised as a whole is not an access of its bytes: it takes the cells there are. */
bool layout_add_bytes(struct layout *layout, uint64_t start, uint64_t end) {
  const bool kept_start = divide(layout, start), kept_end = divide(layout, end);
  bool is_new_in_life = false;
  for (uint32_t place = layout_find(layout, start); start < end; place++) {
    const uint64_t next = place < layout->cells.count ? layout->cells.items[place].start : end;
    if (next <= start) {
      start = layout->cells.items[place].end;
      continue;
    }
    const struct cell cell = {start, next < end ? next : end};
    for (size_t i = 0; i < layout->life.count; i++)
      is_new_in_life |= cell.start < layout->life.items[i].end && layout->life.items[i].start < cell.end;
    insert(layout, place, cell);
    start = cell.end;
  }
  return kept_start && kept_end && !is_new_in_life;
}

bool layout_add_sync(struct layout *layout, uint64_t address, uint64_t class) {
  for (size_t i = 0; i < layout->sync.count; i++)
    if (layout->sync.items[i].start == address && layout->sync.items[i].end == class) return true;
  vector_push(&layout->sync, ((struct cell){address, class}));
  for (size_t i = 0; i < layout->life.count; i++)
    if (address - layout->life.items[i].start < layout->life.items[i].end - layout->life.items[i].start) return false;
  return true;
}

bool layout_is_robust(const struct layout *layout, uint64_t mutex) {
  for (size_t i = 0; i < layout->robust.count; i++)
    if (layout->robust.items[i] == mutex) return true;
  return false;
}

bool layout_add_robust(struct layout *layout, uint64_t mutex) {
  if (layout_is_robust(layout, mutex)) return true;
  vector_push(&layout->robust, mutex);
  return false;
}

void layout_add_life(struct layout *layout, uint64_t start, uint64_t end) {
  for (size_t i = 0; i < layout->life.count; i++)
    if (layout->life.items[i].start == start && layout->life.items[i].end == end) return;
  vector_push(&layout->life, ((struct cell){start, end}));
}
