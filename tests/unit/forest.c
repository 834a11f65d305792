/* SPDX-License-Identifier: MIT
 *
 * src/explore/con2colic/forest.c, scenarios.c: the figures of the paper on con2colic testing as forests.
 */
#include "unit.h"

#include "explore/con2colic/scenarios.h"

#include <stdlib.h>

/* The thread and what it does, as in the figures. */
static node_id add(struct forest *forest, node_id parent, const struct node *what) {
  bool is_new;
  return forest_add(forest, parent, what, &is_new);
}

static node_id start(struct forest *forest, node_id parent, thread_id thread) {
  return add(forest, parent, &(struct node){.kind = NODE_START, .thread = thread});
}

static node_id fork_thread(struct forest *forest, node_id parent, thread_id thread) {
  return add(forest, parent, &(struct node){.kind = NODE_FORK, .object = thread, .event = EVENT_THREAD_CREATE});
}

static node_id read_of(struct forest *forest, node_id parent, thread_id thread, uint64_t variable, term_id symbol) {
  return add(forest, parent,
             &(struct node){.kind = NODE_ACCESS,
                            .flags = NODE_STEP | NODE_READS,
                            .thread = thread,
                            .event = EVENT_READ,
                            .object = variable,
                            .size = 4,
                            .symbol = symbol});
}

static node_id write_of(struct forest *forest, node_id parent, thread_id thread, uint64_t variable, term_id term) {
  return add(forest, parent,
             &(struct node){.kind = NODE_ACCESS,
                            .flags = NODE_STEP | NODE_WRITES,
                            .thread = thread,
                            .event = EVENT_WRITE,
                            .object = variable,
                            .size = 4,
                            .term = term});
}

static node_id branch(struct forest *forest, node_id parent, thread_id thread, term_id term) {
  return add(forest, parent, &(struct node){.kind = NODE_BRANCH, .thread = thread, .term = term});
}

/* Fig. 6: a trace of one thread, then its dangling nodes; what was there is found again. */
static void test_common_beginnings_are_shared(void **state) {
  (void)state;
  struct forest *forest = forest_create();
  const node_id root = start(forest, 0, 0);
  const node_id read = read_of(forest, root, 0, 100, 7), yes = branch(forest, read, 0, 8);
  const size_t count = forest_count(forest);
  assert_int_equal(read_of(forest, start(forest, 0, 0), 0, 100, 7), read);
  assert_int_equal(branch(forest, read, 0, 8), yes);
  assert_int_equal(forest_count(forest), count);
  const node_id no = branch(forest, read, 0, 9);
  assert_int_not_equal(no, yes);
  assert_int_equal(forest_at(forest, no)->parent, read);
  assert_true(forest_is_on_way(forest, read, no) && forest_is_on_way(forest, no, no));
  assert_false(forest_is_on_way(forest, yes, no));
  forest_destroy(forest);
}

/* Fig. 4: two threads with two ways each. */
struct figure {
  struct forest *forest;
  node_id main, fork[2], start[2];
  node_id read, left, right;              /* of the first thread: a read, and a branch on it */
  node_id write, other_left, other_right; /* of the second: the branch is on a read, the write after its left side */
};

static struct figure draw(void) {
  struct figure f = {.forest = forest_create()};
  f.main = start(f.forest, 0, 0);
  f.fork[0] = fork_thread(f.forest, f.main, 1);
  f.start[0] = start(f.forest, f.fork[0], 1);
  f.fork[1] = fork_thread(f.forest, f.fork[0], 2);
  f.start[1] = start(f.forest, f.fork[1], 2);
  f.read = read_of(f.forest, f.start[0], 1, 100, 10);
  f.left = branch(f.forest, f.read, 1, 11);
  f.right = branch(f.forest, f.read, 1, 12);
  const node_id read = read_of(f.forest, f.start[1], 2, 200, 20);
  f.other_left = branch(f.forest, read, 2, 21);
  f.other_right = branch(f.forest, read, 2, 22);
  f.write = write_of(f.forest, f.other_left, 2, 100, 23);
  return f;
}

static void test_a_cause_has_what_created_the_thread(void **state) {
  (void)state;
  const struct figure f = draw();
  struct cause cause = {0};
  cause_start(&cause, f.forest, f.left);
  cause_list_nodes(&cause, f.forest);
  assert_int_equal(cause.ways.count, 2);
  assert_int_equal(cause.nodes.count, 3 + 2); /* start, read, branch; start and first creation of main */
  assert_true(cause_has(&cause, f.forest, f.fork[0]));
  assert_false(cause_has(&cause, f.forest, f.fork[1]));
  assert_true(cause_merge(&cause, f.forest, f.write));
  cause_list_nodes(&cause, f.forest);
  assert_int_equal(cause.ways.count, 3);
  assert_true(cause_has(&cause, f.forest, f.fork[1]) && cause_has(&cause, f.forest, f.other_left));
  assert_int_equal(cause_way(&cause, 2)->leaf, f.write);
  assert_null(cause_way(&cause, 3));
  cause_free(&cause);
  forest_destroy(f.forest);
}

/* Def. 5.4: compatible unless a thread computes differently. */
static void test_compatible_is_one_way_per_thread(void **state) {
  (void)state;
  const struct figure f = draw();
  struct cause cause = {0};
  cause_start(&cause, f.forest, f.left);
  assert_true(cause_merge(&cause, f.forest, f.other_left));
  assert_true(cause_merge(&cause, f.forest, f.write));      /* further on the same way */
  assert_true(cause_merge(&cause, f.forest, f.other_left)); /* before it */
  assert_int_equal(cause_way(&cause, 2)->leaf, f.write);
  assert_false(cause_merge(&cause, f.forest, f.other_right)); /* another way */
  cause_start(&cause, f.forest, f.left);
  assert_false(cause_merge(&cause, f.forest, f.right));
  cause_free(&cause);
  forest_destroy(f.forest);
}

/* The same thread created at two places is two threads that cannot both be. */
static void test_creation_is_part_of_the_way(void **state) {
  (void)state;
  struct forest *forest = forest_create();
  const node_id main = start(forest, 0, 0), yes = branch(forest, main, 0, 1), no = branch(forest, main, 0, 2);
  const node_id a = start(forest, fork_thread(forest, yes, 1), 1), b = start(forest, fork_thread(forest, no, 1), 1);
  assert_int_not_equal(a, b);
  struct cause cause = {0};
  cause_start(&cause, forest, a);
  assert_false(cause_merge(&cause, forest, b));
  cause_free(&cause);
  forest_destroy(forest);
}

static void test_equal_scenarios_are_one(void **state) {
  (void)state;
  const struct figure f = draw();
  struct scenarios scenarios;
  struct scenario_parts parts = {.sink = f.left};
  scenarios_start(&scenarios);
  const scenario_id first = scenarios_add(&scenarios, f.forest, &parts, true);
  assert_int_not_equal(first, 0);
  assert_int_equal(scenarios_add(&scenarios, f.forest, &parts, true), 0);
  assert_int_not_equal(scenarios_add(&scenarios, f.forest, &parts, false), 0);
  parts_add_interference(&parts, (struct interference){f.read, f.write});
  const scenario_id second = scenarios_add(&scenarios, f.forest, &parts, true);
  assert_int_equal(scenarios.items.items[second].degree, 1);
  assert_int_equal(parts_source(&parts, f.read), f.write);
  assert_int_equal(parts_source(&parts, f.left), 0);
  /* A tail further on the way takes the place of one before it. */
  parts_add_tail(&parts, f.forest, f.other_left);
  parts_add_tail(&parts, f.forest, f.write);
  assert_int_equal(parts.tails.count, 1);
  assert_int_equal(parts.tails.items[0], f.write);
  struct scenario_parts again = {0};
  parts_read(&again, &scenarios, scenarios_add(&scenarios, f.forest, &parts, true));
  assert_int_equal(again.sink, f.left);
  assert_int_equal(again.interferences.count, 1);
  assert_int_equal(again.tails.items[0], f.write);
  parts_free(&again);
  parts_free(&parts);
  scenarios_free(&scenarios);
  forest_destroy(f.forest);
}

/* Thousands of scenarios, each found again. */
static void test_many_scenarios(void **state) {
  (void)state;
  const struct figure f = draw();
  struct scenarios scenarios;
  scenarios_start(&scenarios);
  for (int round = 0; round < 2; round++)
    for (node_id a = 1; a <= 40; a++)
      for (node_id b = 1; b <= 100; b++) {
        struct scenario_parts parts = {.sink = f.left};
        parts_add_interference(&parts, (struct interference){f.read, b});
        parts_add_interference(&parts, (struct interference){f.left, 1000 + a});
        assert_int_equal(scenarios_add(&scenarios, f.forest, &parts, true) != 0, round == 0);
        parts_free(&parts);
      }
  scenarios_free(&scenarios);
  forest_destroy(f.forest);
}

static void test_lower_degrees_come_first(void **state) {
  (void)state;
  const struct figure f = draw();
  struct scenarios scenarios;
  struct scenario_parts one = {.sink = f.left}, none = {.sink = f.left}, urgent = {.sink = f.right};
  scenarios_start(&scenarios);
  parts_add_interference(&one, (struct interference){f.read, f.write});
  const scenario_id a = scenarios_add(&scenarios, f.forest, &one, true);
  const scenario_id b = scenarios_add(&scenarios, f.forest, &none, true);
  const scenario_id c = scenarios_add(&scenarios, f.forest, &urgent, true);
  assert_int_equal(scenarios_lowest(&scenarios), UINT32_MAX);
  scenarios_push(&scenarios, a, true);
  scenarios_push(&scenarios, b, false);
  scenarios_push(&scenarios, c, true);
  assert_int_equal(scenarios_pop(&scenarios, 0), c);
  assert_int_equal(scenarios_pop(&scenarios, 0), b);
  assert_int_equal(scenarios_pop(&scenarios, 0), 0); /* --max-k 0 */
  assert_int_equal(scenarios_lowest(&scenarios), 1);
  assert_int_equal(scenarios_pop(&scenarios, 1), a);
  assert_int_equal(scenarios_pop(&scenarios, 1), 0);
  parts_free(&one);
  scenarios_free(&scenarios);
  forest_destroy(f.forest);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_common_beginnings_are_shared),
      cmocka_unit_test(test_a_cause_has_what_created_the_thread),
      cmocka_unit_test(test_compatible_is_one_way_per_thread),
      cmocka_unit_test(test_creation_is_part_of_the_way),
      cmocka_unit_test(test_equal_scenarios_are_one),
      cmocka_unit_test(test_many_scenarios),
      cmocka_unit_test(test_lower_degrees_come_first),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
