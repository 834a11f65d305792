/* SPDX-License-Identifier: MIT
 *
 * What the objects of a program are: which bytes of memory are looked at and changed together, which synchronisation
 * objects lie in memory that is freed or initialised. The runs teach it. When it turns out to be wrong, because an
 * access touches part of what seemed to be one object, the unfolding has to be built again.
 */
#ifndef HEDDLE_EXPLORE_UNFOLDING_LAYOUT_H
#define HEDDLE_EXPLORE_UNFOLDING_LAYOUT_H

#include "base/memory.h"
#include "explore/unfolding/joins.h"

#include <stdbool.h>
#include <stdint.h>

struct cell {
  uint64_t start, end;
};

struct layout {
  VECTOR(struct cell) cells; /* ascending, disjoint */
  VECTOR(struct cell) life;  /* bytes of memory that is freed, initialised, destroyed */
  VECTOR(struct cell) sync;  /* `start` is the address of a synchronisation object, `end` its class */
  struct joins joins;
  VECTOR(uint64_t) robust; /* mutexes that can be taken when their owner has ended */
  bool uses_world;         /* some operation depends on everything */
  bool cancels;            /* threads are cancelled */
  bool has_gaps;           /* something happened that the net cannot fully describe: the result is incomplete */
};

void layout_free(struct layout *layout);
/* Makes the bytes a union of cells. False: a cell that was known had to be divided. */
bool layout_add_bytes(struct layout *layout, uint64_t start, uint64_t end);
/* The first cell that ends after the address. */
uint32_t layout_find(const struct layout *layout, uint64_t address);
/* False: it lies in bytes that were known to be freed or initialised. */
bool layout_add_sync(struct layout *layout, uint64_t address, uint64_t class);
/* False: it was not known to be robust. */
bool layout_add_robust(struct layout *layout, uint64_t mutex);
bool layout_is_robust(const struct layout *layout, uint64_t mutex);
void layout_add_life(struct layout *layout, uint64_t start, uint64_t end);

#endif
