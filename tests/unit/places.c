/* SPDX-License-Identifier: MIT
 *
 * Trees whose places are numbered in preorder (src/explore/unfolding/places.c): chains, stars and random trees,
 * compared with walking from parent to parent.
 */
#include "unit.h"

#include "base/random.h"
#include "explore/unfolding/places.h"

#include <stdlib.h>

static struct places places;
static uint64_t seed;

static place_id parent_of(place_id place) {
  return places.items.items[place].parent;
}

static bool is_above(place_id place, place_id other) {
  while (other != place && other != 0) other = parent_of(other);
  return other == place;
}

static place_id common(place_id a, place_id b) {
  while (!is_above(a, b)) a = parent_of(a);
  return a;
}

static place_id some_place(void) {
  return (place_id)(random_next(&seed) % places.items.count);
}

/* A place that is new: it may lie below one that stays the last, or all are leaves of the root. */
static place_id next_parent(unsigned shape) {
  const place_id last = (place_id)places.items.count - 1;
  switch (shape) {
  case 0: return last;
  case 1: return 0;
  case 2: return some_place();
  default: return random_next(&seed) % 8 ? last : some_place();
  }
}

static int by_label(const void *a, const void *b) {
  const uint64_t x = places_label(&places, *(const place_id *)a), y = places_label(&places, *(const place_id *)b);
  return (x > y) - (x < y);
}

/* No two labels are the same, and what is below a place follows it at once. */
static void expect_preorder(void) {
  const size_t count = places.items.count;
  place_id *sorted = calloc(count, sizeof *sorted);
  for (place_id i = 0; i < count; i++) sorted[i] = i;
  qsort(sorted, count, sizeof *sorted, by_label);
  assert_int_equal(sorted[0], 0);
  for (size_t i = 1; i < count; i++) {
    assert_true(places_label(&places, sorted[i - 1]) < places_label(&places, sorted[i]));
    assert_true(is_above(parent_of(sorted[i]), sorted[i - 1]));
  }
  free(sorted);
}

static void compare(unsigned shape, unsigned count) {
  seed = shape;
  places_init(&places);
  for (unsigned i = 0; i < count; i++) places_add(&places, next_parent(shape));
  expect_preorder();
  for (unsigned i = 0; i < 2000; i++) {
    const place_id a = some_place(), b = some_place();
    assert_int_equal(places_is_above(&places, a, b), is_above(a, b));
    assert_int_equal(places_common(&places, a, b), common(a, b));
  }
  places_free(&places);
}

static void trees_are_as_walking_says(void **state) {
  for (unsigned shape = 0; shape < 4; shape++) {
    compare(shape, 3);
    compare(shape, 1500);
  }
}

/* Labels are made anew often enough to run out otherwise. */
static void labels_do_not_run_out(void **state) {
  for (unsigned shape = 0; shape < 2; shape++) {
    places_init(&places);
    for (unsigned i = 0; i < 200000; i++) places_add(&places, next_parent(shape));
    for (place_id place = 0; places.items.items[place].next; place = places.items.items[place].next)
      assert_true(places_label(&places, place) < places_label(&places, places.items.items[place].next));
    places_free(&places);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(trees_are_as_walking_says),
      cmocka_unit_test(labels_do_not_run_out),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
