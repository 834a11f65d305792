/* SPDX-License-Identifier: MIT
 *
 * src/solve/precedence.c: orders and cores of small questions whose answers are known, and of random ones, where both
 * ways to answer must agree, every order must satisfy the demands, and the groups of a core alone must have no order.
 */
#include "unit.h"

#include "base/random.h"
#include "solve/precedence.h"

#include <stdlib.h>

static void test_chains_alone_have_an_order(void **state) {
  (void)state;
  struct precedence *p = precedence_create();
  precedence_start(p, 2);
  const point_id a = precedence_add_point(p, 0), b = precedence_add_point(p, 0), c = precedence_add_point(p, 1);
  assert_int_equal(precedence_solve(p, 0), ANSWER_SATISFIABLE);
  assert_int_equal(p->order.items[0], c); /* chain 0 comes last */
  assert_int_equal(p->order.items[1], a);
  assert_int_equal(p->order.items[2], b);
  precedence_destroy(p);
}

static void test_a_cycle_has_the_groups_of_its_edges(void **state) {
  (void)state;
  struct precedence *p = precedence_create();
  precedence_start(p, 3);
  const point_id a = precedence_add_point(p, 0), b = precedence_add_point(p, 1), c = precedence_add_point(p, 2);
  precedence_demand(p, a, b, 1);
  precedence_demand(p, b, a, 2);
  precedence_demand(p, a, c, 3);
  for (int i = 0; i < 2; i++) {
    assert_int_equal(i ? precedence_solve_z3(p, 0) : precedence_solve(p, 0), ANSWER_UNSATISFIABLE);
    assert_true(p->core.items[1] && p->core.items[2]);
    assert_false(p->core.items[3]);
  }
  precedence_destroy(p);
}

/* Two critical sections, and a read in one of them that must see a write in the other before the other's second write.
 */
static void test_critical_sections(void **state) {
  (void)state;
  struct precedence *p = precedence_create();
  precedence_start(p, 2);
  const point_id lock = precedence_add_point(p, 0), write = precedence_add_point(p, 0),
                 second = precedence_add_point(p, 0), unlock = precedence_add_point(p, 0);
  const point_id other_lock = precedence_add_point(p, 1), read = precedence_add_point(p, 1),
                 other_unlock = precedence_add_point(p, 1);
  precedence_demand(p, write, read, 0);
  precedence_demand_either(p, unlock, other_lock, other_unlock, lock, 0);
  assert_int_equal(precedence_solve(p, 0), ANSWER_SATISFIABLE);
  assert_true(precedence_holds(p));
  precedence_demand(p, read, second, 1);
  assert_int_equal(precedence_solve(p, 0), ANSWER_UNSATISFIABLE);
  assert_true(p->core.items[1]);
  precedence_destroy(p);
}

#define CHAINS 4
#define POINTS 5

static point_id draw_point(uint64_t *random) {
  return (point_id)(random_next(random) % (CHAINS * POINTS));
}

static void pose(struct precedence *p, uint64_t seed) {
  uint64_t random = seed;
  precedence_start(p, CHAINS);
  for (int i = 0; i < CHAINS * POINTS; i++) precedence_add_point(p, (uint32_t)i % CHAINS);
  const int demands = 3 + (int)(random_next(&random) % 30);
  for (int i = 0; i < demands; i++) {
    const uint32_t group = (uint32_t)(random_next(&random) % 9);
    const point_id a = draw_point(&random), b = draw_point(&random);
    if (random_next(&random) % 4 == 0)
      precedence_demand(p, a, b, group);
    else
      precedence_demand_either(p, a, b, draw_point(&random), draw_point(&random), group);
  }
}

static void pose_again(struct precedence *only, const struct precedence *p, const bool *groups) {
  precedence_start(only, CHAINS);
  for (int i = 0; i < CHAINS * POINTS; i++) precedence_add_point(only, (uint32_t)i % CHAINS);
  for (size_t i = 0; i < p->demands.count; i++) {
    const struct precedence_demand *d = &p->demands.items[i];
    if (d->group && !(groups && groups[d->group])) continue;
    if (d->c == NO_POINT)
      precedence_demand(only, d->a, d->b, d->group);
    else
      precedence_demand_either(only, d->a, d->b, d->c, d->d, d->group);
  }
}

/* The same question with the core's groups alone. */
static void check_core(struct precedence *p, struct precedence *only) {
  pose_again(only, p, p->core.items);
  assert_int_equal(precedence_solve_z3(only, 0), ANSWER_UNSATISFIABLE);
}

static void test_random_questions(void **state) {
  (void)state;
  struct precedence *p = precedence_create(), *only = precedence_create();
  int satisfiable = 0, unsatisfiable = 0;
  for (uint64_t seed = 1; seed <= 300; seed++) {
    pose(p, seed);
    const enum answer answer = precedence_solve(p, 1);
    if (answer == ANSWER_SATISFIABLE) assert_true(precedence_holds(p));
    if (answer == ANSWER_UNSATISFIABLE) check_core(p, only);
    satisfiable += answer == ANSWER_SATISFIABLE;
    unsatisfiable += answer == ANSWER_UNSATISFIABLE;
    assert_int_equal(precedence_solve_z3(p, 1), answer);
    if (answer == ANSWER_UNSATISFIABLE) check_core(p, only);
  }
  assert_true(satisfiable > 50 && unsatisfiable > 50);
  precedence_destroy(only);
  precedence_destroy(p);
}

/* What is certain cannot be the other way round without the demands of any group. */
static void test_what_is_certain(void **state) {
  (void)state;
  struct precedence *p = precedence_create(), *only = precedence_create();
  int certain = 0, found = 0;
  for (uint64_t seed = 1; seed <= 150; seed++) {
    pose(p, seed);
    pose_again(only, p, NULL);
    const bool has_order = precedence_solve_z3(only, 0) == ANSWER_SATISFIABLE;
    if (!precedence_find_certain(p)) {
      assert_false(has_order);
      continue;
    }
    found++;
    uint64_t random = seed;
    for (int i = 0; i < 20; i++) {
      const point_id a = draw_point(&random), b = draw_point(&random);
      if (a % CHAINS == b % CHAINS || !precedence_is_certain(p, a, b)) continue;
      certain++;
      pose_again(only, p, NULL);
      precedence_demand(only, b, a, 0);
      assert_int_equal(precedence_solve_z3(only, 0), ANSWER_UNSATISFIABLE);
    }
  }
  assert_true(found > 50 && certain > 50);
  precedence_destroy(only);
  precedence_destroy(p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_chains_alone_have_an_order),
      cmocka_unit_test(test_a_cycle_has_the_groups_of_its_edges),
      cmocka_unit_test(test_critical_sections),
      cmocka_unit_test(test_random_questions),
      cmocka_unit_test(test_what_is_certain),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
