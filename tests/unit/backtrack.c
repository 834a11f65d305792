/* SPDX-License-Identifier: MIT
 *
 * The tree of the partial order reductions, without runs: which work comes first, who sleeps where, what a path is, and
 * that everything is done in the end and nothing is lost (the sanitizers look for leaks).
 */
#include "unit.h"

#include "explore/dpor/backtrack.h"

#include <stdlib.h>

static struct event write_of(thread_id thread, uint64_t place) {
  return (struct event){
      .kind = EVENT_WRITE, .flags = EVENT_VISIBLE, .thread = thread, .object = place, .size = 4, .alternatives = 1};
}

/* A run that takes these steps from the point on. Returns where it ended. */
static struct point *run_through(struct backtrack *tree, struct point *point, const struct event *events,
                                 size_t count) {
  for (size_t i = 0; i < count; i++) point = backtrack_advance(tree, point, &events[i]);
  return point;
}

static struct point *take(struct backtrack *tree, struct point *point) {
  struct values *values = NULL;
  struct point *child = backtrack_take(tree, point, &values);
  values_release(values);
  return child;
}

/* The child is reached: this is its event. */
static void reach(struct point *child, struct event event) {
  child->event = event;
  child->state = POINT_REACHED;
}

static void fall_asleep(struct point *point, const struct event *event) {
  event_list sleepers = {0};
  point_append_sleepers(point, &sleepers);
  point_fall_asleep(point, &sleepers, event, 1);
  vector_free(&sleepers);
}

static void test_newest_work_first(void **state) {
  struct backtrack *tree = backtrack_create();
  struct point *root = backtrack_root(tree);
  const struct event steps[] = {write_of(0, 8), write_of(1, 8)};
  struct point *end = run_through(tree, root, steps, 2), *middle = end->parent;
  backtrack_want(tree, root, (struct step){1, 0});
  backtrack_want(tree, middle, (struct step){2, 0});
  backtrack_want(tree, middle, (struct step){3, 0});
  backtrack_list(tree, root, NULL);
  backtrack_list(tree, middle, NULL);
  backtrack_list(tree, end, NULL); /* has no work */
  assert_int_equal(backtrack_left(tree), 3);
  backtrack_end(tree, end);
  assert_ptr_equal(backtrack_newest(tree, false), middle);
  struct point *second = take(tree, middle), *third = take(tree, middle);
  assert_int_equal(second->event.thread, 2);
  assert_int_equal(third->event.thread, 3);
  assert_ptr_equal(backtrack_newest(tree, false), root);
  struct point *other = take(tree, root);
  assert_null(backtrack_newest(tree, false));
  assert_int_equal(backtrack_left(tree), 0);
  backtrack_end(tree, second);
  backtrack_end(tree, third);
  assert_int_equal(middle->state, POINT_DONE);
  assert_int_not_equal(root->state, POINT_DONE);
  backtrack_end(tree, other);
  assert_int_equal(root->state, POINT_DONE);
  assert_null(root->children);
  backtrack_destroy(tree);
}

static void test_sleep(void **state) {
  struct backtrack *tree = backtrack_create();
  struct point *root = backtrack_root(tree);
  const struct event first = write_of(0, 8), independent = write_of(1, 16), dependent = write_of(2, 8);
  struct point *end = run_through(tree, root, &first, 1);
  backtrack_want(tree, root, (struct step){1, 0});
  backtrack_want(tree, root, (struct step){2, 0});
  backtrack_list(tree, root, NULL);
  backtrack_end(tree, end);
  struct point *second = take(tree, root);
  /* What the second would do is not known: with sleep sets the third must wait. */
  assert_null(backtrack_newest(tree, true));
  assert_ptr_equal(backtrack_newest(tree, false), root);
  reach(second, independent);
  fall_asleep(second, &independent);
  assert_true(point_is_asleep(second, 0));
  assert_ptr_equal(backtrack_newest(tree, true), root);
  struct point *third = take(tree, root);
  reach(third, dependent);
  fall_asleep(third, &dependent);
  assert_false(point_is_asleep(third, 0));
  assert_true(point_is_asleep(third, 1));
  /* A sleeper is inherited, and shares its set. */
  struct event next = write_of(3, 32);
  struct point *below = backtrack_advance(tree, third, &next);
  fall_asleep(below, &next);
  assert_ptr_equal(below->sleep, third->sleep);
  backtrack_end(tree, below);
  backtrack_end(tree, second);
  assert_int_equal(root->state, POINT_DONE);
  backtrack_destroy(tree);
}

static void test_alternatives_do_not_sleep(void **state) {
  struct backtrack *tree = backtrack_create();
  struct point *root = backtrack_root(tree);
  struct event signal = {.kind = EVENT_CONDITION_SIGNAL, .thread = 1, .object = 64, .alternatives = 2};
  struct point *end = run_through(tree, root, &signal, 1);
  struct point *other = backtrack_want(tree, root, (struct step){1, 1});
  assert_int_equal(other->rank, end->rank);
  backtrack_list(tree, root, NULL);
  backtrack_end(tree, end);
  assert_ptr_equal(take(tree, root), other);
  event_list sleepers = {0};
  point_append_sleepers(other, &sleepers);
  assert_int_equal(sleepers.count, 0);
  vector_free(&sleepers);
  backtrack_destroy(tree);
}

/* root -step- a -side 5- b -step- c; then the other side of the decision at a. */
static void test_sides(void **state) {
  struct backtrack *tree = backtrack_create();
  struct point *root = backtrack_root(tree);
  const struct event sleeper = write_of(7, 8), step = write_of(1, 16), next = write_of(2, 24);
  struct point *slept = run_through(tree, root, &sleeper, 1);
  backtrack_want(tree, root, (struct step){1, 0});
  backtrack_list(tree, root, NULL);
  backtrack_end(tree, slept);
  struct point *a = take(tree, root);
  reach(a, step);
  const struct sides sides = {.stage = SIDES_OTHER, .other = 6};
  backtrack_add_sides(tree, a, &sides);
  struct point *b = backtrack_advance_side(tree, a, 5);
  fall_asleep(b, &step);
  assert_true(point_is_asleep(b, 7));
  struct point *c = backtrack_advance(tree, b, &next);
  struct values *values = calloc(1, sizeof *values);
  values->references = 1;
  backtrack_list(tree, a, values);
  backtrack_list(tree, b, values);
  assert_int_equal(values->references, 2); /* b has no work */
  backtrack_end(tree, c);
  assert_int_equal(b->state, POINT_DONE);
  assert_int_not_equal(a->state, POINT_DONE);
  assert_ptr_equal(backtrack_newest(tree, true), a);
  assert_ptr_equal(a->values, values);

  struct point *d = backtrack_take_side(tree, a, 6);
  backtrack_end_sides(tree, a);
  assert_int_equal(values->references, 1);
  values_release(values);
  assert_int_equal(backtrack_left(tree), 0);
  struct schedule schedule = {0};
  point_append_path(d, &schedule);
  assert_int_equal(schedule.count, 1);
  assert_int_equal(schedule.items[0].thread, 1);
  free(schedule.items);
  term_list constraints = {0};
  point_list_constraints(d, &constraints);
  assert_int_equal(constraints.count, 1);
  assert_int_equal(constraints.items[0], 6);
  vector_free(&constraints);
  /* The plan's last step is the one to a: who slept there sleeps in the run to the other side as well. */
  event_list sleepers = {0};
  point_append_sleepers(d, &sleepers);
  assert_int_equal(sleepers.count, 1);
  assert_int_equal(sleepers.items[0].thread, 7);
  vector_free(&sleepers);
  backtrack_end(tree, d);
  assert_int_equal(root->state, POINT_DONE);
  backtrack_destroy(tree);
}

/* Where an input decided that it failed, it may write as well. */
static void test_exchange_sleeps_as_a_write(void **state) {
  for (int decides = 0; decides < 2; decides++) {
    struct backtrack *tree = backtrack_create();
    struct point *root = backtrack_root(tree);
    struct event failed = write_of(1, 8), read = write_of(2, 8);
    failed.kind = EVENT_ATOMIC_EXCHANGE_FAILED;
    read.kind = EVENT_ATOMIC_READ;
    struct point *first = run_through(tree, root, &failed, 1);
    first->decides = decides;
    backtrack_want(tree, root, (struct step){2, 0});
    backtrack_list(tree, root, NULL);
    backtrack_end(tree, first);
    struct point *second = take(tree, root);
    reach(second, read);
    fall_asleep(second, &read);
    assert_int_equal(point_is_asleep(second, 1), !decides);
    backtrack_destroy(tree);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_newest_work_first),          cmocka_unit_test(test_sleep),
      cmocka_unit_test(test_alternatives_do_not_sleep),  cmocka_unit_test(test_sides),
      cmocka_unit_test(test_exchange_sleeps_as_a_write),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
