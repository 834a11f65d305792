/* SPDX-License-Identifier: MIT
 *
 * A tree that grows by new leaves. Whether a place is above another, and where two ways down part, takes a logarithmic
 * number of steps. Every place has a label, and labels ascend in preorder: what is below a place stands beside each
 * other wherever places are sorted by their labels. Labels change when the tree grows, their order does not.
 */
#ifndef HEDDLE_EXPLORE_UNFOLDING_PLACES_H
#define HEDDLE_EXPLORE_UNFOLDING_PLACES_H

#include "base/memory.h"

#include <stdbool.h>
#include <stdint.h>

typedef uint32_t place_id; /* 0 is the root, above all others */

struct tree_place {
  uint64_t label; /* they go round: what counts is how far they are from that of the root */
  uint32_t depth;
  place_id parent;
  place_id jump; /* one above */
  place_id next; /* in preorder; after the last comes the root */
};

struct places {
  VECTOR(struct tree_place) items; /* empty: there is not even a root */
};

void places_init(struct places *places); /* with a root; a zeroed one has none */
void places_free(struct places *places);
place_id places_add(struct places *places, place_id parent);
/* Is it above the other one, or the same? */
bool places_is_above(const struct places *places, place_id place, place_id other);
/* The lowest one that is above both. */
place_id places_common(const struct places *places, place_id a, place_id b);

static inline uint64_t places_label(const struct places *places, place_id place) {
  return places->items.items[place].label - places->items.items[0].label;
}

static inline uint32_t places_depth(const struct places *places, place_id place) {
  return places->items.items[place].depth;
}

#endif
