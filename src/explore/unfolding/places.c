/* SPDX-License-Identifier: MIT
 *
 * Jumps: E. W. Myers, An applicative random-access stack (1983). Labels: M. Bender and others, Two simplified
 * algorithms for maintaining order in a list (2002): where a label is missing, the labels around are spread over the
 * smallest range that is not too full.
 */
#include "explore/unfolding/places.h"

#include <stdlib.h>

#define LABELS (1ull << 62)
#define ROOM 1.5 /* how much more a range may hold than one of half its width; below 2 */

void places_init(struct places *places) {
  places->items.count = 0;
  vector_push(&places->items, (struct tree_place){0});
}

void places_free(struct places *places) {
  vector_free(&places->items);
}

/* ---- labels ---- */

static uint64_t label_after(const struct tree_place *items, place_id place) {
  return items[place].next ? items[items[place].next].label : LABELS;
}

/* Labels from `low` on, at this distance, for the places from `first` to `last`. */
static void spread(struct tree_place *items, place_id first, place_id last, uint64_t low, uint64_t distance) {
  for (place_id place = first;; place = items[place].next, low += distance) {
    items[place].label = low;
    if (place == last) return;
  }
}

/* Afterwards there is a label between that of the place and the next. */
static void make_room(struct tree_place *items, place_id place) {
  place_id first = place, last = place;
  uint64_t count = 1, width = 1, low;
  double most = 1;
  do {
    width *= 2;
    most *= ROOM;
    low = items[place].label & ~(width - 1);
    for (; first && items[items[first].previous].label >= low; count++) first = items[first].previous;
    for (; label_after(items, last) < low + width && items[last].next; count++) last = items[last].next;
  } while (width < LABELS && ((double)count > most || width / count < 2));
  spread(items, first, last, low, width / count);
}

/* A new leaf comes right after its parent. */
static void link_after(struct tree_place *items, place_id place, place_id parent) {
  if (label_after(items, parent) - items[parent].label < 2) make_room(items, parent);
  items[place].label = items[parent].label + (label_after(items, parent) - items[parent].label) / 2;
  items[place].previous = parent;
  items[place].next = items[parent].next;
  items[items[parent].next].previous = place;
  items[parent].next = place;
}

/* ---- the tree ---- */

place_id places_add(struct places *places, place_id parent) {
  const struct tree_place *items = places->items.items;
  const place_id jump = items[parent].jump, place = (place_id)places->items.count;
  const bool is_even = items[parent].depth - items[jump].depth == items[jump].depth - items[items[jump].jump].depth;
  const struct tree_place own = {
      .depth = items[parent].depth + 1, .parent = parent, .jump = is_even ? items[jump].jump : parent};
  vector_push(&places->items, own);
  link_after(places->items.items, place, parent);
  return place;
}

static place_id at_depth(const struct tree_place *items, place_id place, uint32_t depth) {
  while (items[place].depth > depth)
    place = items[items[place].jump].depth >= depth ? items[place].jump : items[place].parent;
  return place;
}

bool places_is_above(const struct places *places, place_id place, place_id other) {
  const struct tree_place *items = places->items.items;
  return items[place].depth <= items[other].depth && at_depth(items, other, items[place].depth) == place;
}

place_id places_common(const struct places *places, place_id a, place_id b) {
  const struct tree_place *items = places->items.items;
  a = at_depth(items, a, items[b].depth);
  b = at_depth(items, b, items[a].depth);
  while (a != b) {
    const bool jumps = items[a].jump != items[b].jump;
    a = jumps ? items[a].jump : items[a].parent;
    b = jumps ? items[b].jump : items[b].parent;
  }
  return a;
}
