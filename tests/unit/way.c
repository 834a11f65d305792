/* SPDX-License-Identifier: MIT
 *
 * The tree of strategy `optimal`: the way to a node is found from the last one, the leftmost leaf from where the last
 * one was, whatever was forgotten in between.
 */
#include "unit.h"

#include "base/random.h"
#include "explore/dpor/way.h"

#include <stdlib.h>

static struct wakeup tree;

static int set_up(void **state) {
  wakeup_init(&tree);
  return 0;
}

static int tear_down(void **state) {
  wakeup_free(&tree);
  return 0;
}

static struct wakeup_node *add(struct wakeup_node *parent, thread_id thread) {
  return wakeup_add(&tree, parent, &(struct event){.thread = thread});
}

static struct wakeup_node *add_leaf(struct wakeup_node *parent, thread_id thread) {
  struct wakeup_node *leaf = add(parent, thread);
  wakeup_add_leaf(&tree, leaf, NULL);
  return leaf;
}

static void expect_way(const struct way *way, const struct wakeup_node *node) {
  assert_int_equal(way->nodes.count, node->depth + 1);
  for (; node->parent; node = node->parent) assert_ptr_equal(way->nodes.items[node->depth], node);
}

static void common_steps_are_counted(void **state) {
  struct way way = {0};
  struct wakeup_node *begin = add(tree.top, NO_THREAD), *one = add(begin, 1), *two = add(one, 2), *other = add(one, 3);
  struct wakeup_node *leaf = add_leaf(two, 4), *second = add_leaf(other, 4);
  assert_int_equal(way_go_to(&way, leaf), 0);
  expect_way(&way, leaf);
  assert_int_equal(way_go_to(&way, second), 1);
  expect_way(&way, second);
  assert_int_equal(way_go_to(&way, two), 1);
  assert_int_equal(way_go_to(&way, leaf), 2);
  expect_way(&way, leaf);
  way_free(&way);
}

/* The memory of a node that was on the way is that of another now. */
static void a_new_node_is_not_taken_for_a_forgotten_one(void **state) {
  struct way way = {0};
  struct wakeup_node *begin = add(tree.top, NO_THREAD), *left = add(begin, 1), *leaf = add_leaf(left, 2);
  struct wakeup_node *right = add_leaf(begin, 2);
  way_go_to(&way, leaf);
  assert_ptr_equal(wakeup_leftmost(&tree), leaf);
  wakeup_take_leaf(&tree, leaf);
  wakeup_end_leaf(&tree, leaf); /* what is below `left` is forgotten */
  struct wakeup_node *again = add_leaf(right, 5);
  assert_ptr_equal(again, leaf);
  assert_int_equal(way_go_to(&way, again), 0);
  expect_way(&way, again);
  way_free(&way);
}

static const struct wakeup_node *search_leftmost(const struct wakeup_node *node) {
  for (const struct wakeup_node *child = node->first; child; child = child->next)
    if (child->waiting > 0) return search_leftmost(child);
  return node;
}

/* A tree that grows where its leaves are, with several of them under way, and is explored to its end. */
static void the_leftmost_leaf_is_found(void **state) {
  struct wakeup_node *under_way[8];
  uint64_t seed = 3, made = 1;
  size_t first = 0, end = 0;
  add_leaf(add(tree.top, NO_THREAD), 1);
  while (tree.n_waiting > 0 || first < end) {
    const bool takes = tree.n_waiting > 0 && end - first < 8 && random_next(&seed) % 2;
    if (takes) {
      struct wakeup_node *leaf = wakeup_leftmost(&tree);
      assert_ptr_equal(leaf, search_leftmost(tree.top));
      wakeup_take_leaf(&tree, leaf);
      under_way[end++ % 8] = leaf;
    } else if (first < end) {
      struct wakeup_node *leaf = under_way[first++ % 8];
      for (uint64_t n = made < 5000 ? random_next(&seed) % 4 : 0; n > 0; n--, made++) {
        struct wakeup_node *parent = leaf;
        for (uint64_t up = random_next(&seed) % 3; up > 0 && parent->depth > 1; up--) parent = parent->parent;
        add_leaf(add(parent, 1), 2);
      }
      wakeup_end_leaf(&tree, leaf);
    }
  }
  assert_null(wakeup_leftmost(&tree));
  assert_int_equal(tree.top->live, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(common_steps_are_counted, set_up, tear_down),
      cmocka_unit_test_setup_teardown(a_new_node_is_not_taken_for_a_forgotten_one, set_up, tear_down),
      cmocka_unit_test_setup_teardown(the_leftmost_leaf_is_found, set_up, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
