/* SPDX-License-Identifier: MIT
 *
 * Jumps: E. W. Myers, An applicative random-access stack (1983). Labels: P. Dietz and D. Sleator, Two algorithms for
 * maintaining order in a list (1987), the simple one: where a label is missing, the labels after it are spread as far
 * as they are crowded.
 */
#include "explore/unfolding/places.h"

#include <stdlib.h>

void places_init(struct places *places) {
  places->items.count = 0;
  vector_push(&places->items, (struct tree_place){0});
}

void places_free(struct places *places) {
  vector_free(&places->items);
}

/* ---- labels ---- */

/* How far the label of the other one is, which comes after the place. */
static uint64_t distance(const struct tree_place *items, place_id place, place_id other) {
  return place == other ? UINT64_MAX : items[other].label - items[place].label;
}

/* Afterwards there is a label between that of the place and the next. */
static void make_room(struct tree_place *items, place_id place) {
  uint64_t count = 1;
  place_id end = items[place].next;
  for (; distance(items, place, end) <= count * count; count++) end = items[end].next;
  const uint64_t step = distance(items, place, end) / count;
  uint64_t label = items[place].label;
  for (place_id next = items[place].next; next != end; next = items[next].next) items[next].label = label += step;
}

/* A new leaf comes right after its parent. */
static void link_after(struct tree_place *items, place_id place, place_id parent) {
  make_room(items, parent);
  items[place].label = items[parent].label + distance(items, parent, items[parent].next) / 2;
  items[place].next = items[parent].next;
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
