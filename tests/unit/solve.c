/* SPDX-License-Identifier: MIT
 *
 * src/solve: random paths over a few inputs, each query answered by the chain with every answer compared with Z3
 * (the check stage) unless Z3 takes too long, and with brute force where the inputs are small.
 */
#include "unit.h"

#include "base/random.h"
#include "solve/solver.h"

#include <stdlib.h>

#define MOST_CONSTRAINTS 8

struct world {
  struct terms *terms;
  struct solver *solver;
  uint64_t random;
  unsigned widths[3];
};

static uint64_t draw(struct world *world, uint64_t bound) {
  return random_next(&world->random) % bound;
}

static void open_world(struct world *world, const unsigned widths[3], uint64_t seed, bool check) {
  static const char *const names[] = {"x", "y", "z"};
  *world = (struct world){.terms = terms_create(), .random = seed};
  for (int i = 0; i < 3; i++) {
    world->widths[i] = widths[i];
    terms_new_input(world->terms, names[i], widths[i]);
  }
  const struct solver_settings settings = {.timeout_milliseconds = 100, .check = check};
  world->solver = solver_create(world->terms, &settings);
}

static void close_world(struct world *world) {
  solver_destroy(world->solver);
  terms_destroy(world->terms);
}

static term_id draw_leaf(struct world *world, unsigned width) {
  if (draw(world, 3) == 0)
    return term_constant(world->terms, width, draw(world, 2) ? draw(world, 16) : random_next(&world->random));
  const input_id input = (input_id)draw(world, 3);
  const term_id leaf = term_input(world->terms, input);
  if (world->widths[input] > width)
    return term_extract(world->terms, (unsigned)draw(world, world->widths[input] - width + 1), width, leaf);
  return term_extend(world->terms, draw(world, 2) ? TERM_ZERO_EXTEND : TERM_SIGN_EXTEND, width, leaf);
}

static term_id draw_term(struct world *world, unsigned width, int depth) {
  if (depth == 0 || draw(world, 3) == 0) return draw_leaf(world, width);
  const enum term_operator kind = (enum term_operator)(TERM_ADD + draw(world, TERM_SHIFT_RIGHT_SIGNED - TERM_ADD + 1));
  return term_make(world->terms, kind, draw_term(world, width, depth - 1), draw_term(world, width, depth - 1), 0);
}

static term_id draw_condition(struct world *world) {
  static const unsigned widths[] = {4, 8, 16, 32};
  const unsigned width = widths[draw(world, 4)];
  const enum term_operator kind =
      (enum term_operator)(TERM_EQUAL + draw(world, TERM_LESS_EQUAL_SIGNED - TERM_EQUAL + 1));
  return term_make(world->terms, kind, draw_term(world, width, 2), draw_term(world, width, 2), 0);
}

/* Conditions as a run with these inputs would take them: each as it is or negated, whichever holds. */
static size_t draw_path(struct world *world, const struct model *inputs, term_id *path) {
  const size_t count = draw(world, MOST_CONSTRAINTS);
  for (size_t i = 0; i < count; i++) {
    const term_id condition = draw_condition(world);
    path[i] = term_evaluate(world->terms, condition, inputs) ? condition : term_not(world->terms, condition);
  }
  return count;
}

static void draw_inputs(struct world *world, struct model *model) {
  for (input_id i = 0; i < 3; i++) model_set(model, i, random_next(&world->random) & bits_mask(world->widths[i]));
}

static bool holds(struct world *world, const struct query *query, const struct model *model) {
  return terms_hold(world->terms, query->constraints, query->count, model) &&
         (!query->target || terms_hold(world->terms, &query->target, 1, model));
}

static bool brute_force(struct world *world, const struct query *query) {
  struct model model = {0};
  const unsigned total = world->widths[0] + world->widths[1] + world->widths[2];
  bool found = false;
  for (uint64_t all = 0; all < 1ull << total && !found; all++) {
    uint64_t rest = all;
    for (input_id i = 0; i < 3; rest >>= world->widths[i++]) model_set(&model, i, rest & bits_mask(world->widths[i]));
    found = holds(world, query, &model);
  }
  model_free(&model);
  return found;
}

static void answer_queries(const unsigned widths[3], uint64_t seed, int rounds, bool small, bool check) {
  struct world world;
  struct model hint = {0}, model = {0};
  term_id path[MOST_CONSTRAINTS];
  open_world(&world, widths, seed, check);
  for (int round = 0; round < rounds; round++) {
    draw_inputs(&world, &hint);
    const size_t count = draw_path(&world, &hint, path);
    const struct query query = {
        .constraints = path, .count = count, .target = draw(&world, 8) ? draw_condition(&world) : 0, .hint = &hint};
    const enum answer answer = solver_solve(world.solver, &query, &model);
    if (answer == ANSWER_SATISFIABLE) assert_true(holds(&world, &query, &model));
    if (small && answer != ANSWER_UNKNOWN) assert_int_equal(answer == ANSWER_SATISFIABLE, brute_force(&world, &query));
  }
  struct solver_statistics statistics;
  solver_get_statistics(world.solver, &statistics);
  assert_int_equal(statistics.wrong, 0);
  model_free(&hint);
  model_free(&model);
  close_world(&world);
}

static void small_inputs(void **state) {
  for (uint64_t seed = 0; seed < 10; seed++) answer_queries((const unsigned[]){4, 3, 3}, seed, 40, true, true);
}

/* More of them: brute force is the judge, and Z3 is asked only what is left. */
static void small_inputs_by_brute_force(void **state) {
  for (uint64_t seed = 100; seed < 108; seed++) answer_queries((const unsigned[]){4, 3, 3}, seed, 150, true, false);
  for (uint64_t seed = 200; seed < 204; seed++) answer_queries((const unsigned[]){9, 1, 1}, seed, 150, true, false);
}

static void bytes(void **state) {
  for (uint64_t seed = 0; seed < 5; seed++) answer_queries((const unsigned[]){8, 8, 8}, seed, 20, false, true);
}

static void integers(void **state) {
  for (uint64_t seed = 0; seed < 5; seed++) answer_queries((const unsigned[]){32, 16, 64}, seed, 20, false, true);
}

/* The condition of the example: no stage before Z3 may be needed for it to be Z3's. */
static void three_inputs_are_solved_without_z3(void **state) {
  struct world world;
  struct model model = {0};
  open_world(&world, (const unsigned[]){32, 32, 32}, 1, false);
  const term_id x = term_input(world.terms, 0), y = term_input(world.terms, 1), z = term_input(world.terms, 2);
  const term_id three = term_constant(world.terms, 32, 3), seven = term_constant(world.terms, 32, 7);
  const term_id sum = term_make(world.terms, TERM_ADD, term_make(world.terms, TERM_MULTIPLY, x, three, 0), seven, 0);
  const term_id path[] = {
      term_make(world.terms, TERM_EQUAL, sum, y, 0),
      term_make(world.terms, TERM_LESS_SIGNED, term_constant(world.terms, 32, 1000), y, 0),
      term_make(world.terms, TERM_EQUAL, z, term_make(world.terms, TERM_XOR, x, y, 0), 0),
  };
  const struct query query = {.constraints = path, .count = 3};
  assert_int_equal(solver_solve(world.solver, &query, &model), ANSWER_SATISFIABLE);
  assert_true(holds(&world, &query, &model));
  struct solver_statistics statistics;
  solver_get_statistics(world.solver, &statistics);
  assert_string_equal(statistics.stages[statistics.n_stages - 1].name, "z3");
  assert_int_equal(statistics.stages[statistics.n_stages - 1].queries, 0);
  model_free(&model);
  close_world(&world);
}

static void slicing_keeps_the_hint(void **state) {
  struct world world;
  struct model hint = {0}, model = {0};
  open_world(&world, (const unsigned[]){32, 32, 32}, 1, true);
  model_set(&hint, 0, 5);
  model_set(&hint, 1, 77);
  const term_id x = term_input(world.terms, 0), y = term_input(world.terms, 1);
  const term_id path[] = {term_make(world.terms, TERM_EQUAL, y, term_constant(world.terms, 32, 77), 0)};
  const term_id target = term_make(world.terms, TERM_LESS, x, term_constant(world.terms, 32, 3), 0);
  const struct query query = {.constraints = path, .count = 1, .target = target, .hint = &hint};
  assert_int_equal(solver_solve(world.solver, &query, &model), ANSWER_SATISFIABLE);
  assert_true(model_value(&model, 0) < 3);
  assert_true(model_value(&model, 1) == 77);
  model_free(&hint);
  model_free(&model);
  close_world(&world);
}

static void caches_answer_again(void **state) {
  struct world world;
  struct model model = {0};
  open_world(&world, (const unsigned[]){64, 64, 64}, 1, false);
  const term_id x = term_input(world.terms, 0), y = term_input(world.terms, 1);
  const term_id product = term_make(world.terms, TERM_MULTIPLY, x, x, 0);
  const term_id impossible[] = {
      term_make(world.terms, TERM_EQUAL, term_extract(world.terms, 0, 2, product), term_constant(world.terms, 2, 3), 0),
      term_make(world.terms, TERM_LESS, x, y, 0)};
  for (int i = 0; i < 3; i++) {
    const struct query query = {.constraints = impossible, .count = i == 0 ? 1 : 2};
    assert_int_equal(solver_solve(world.solver, &query, &model), ANSWER_UNSATISFIABLE);
  }
  struct solver_statistics statistics;
  solver_get_statistics(world.solver, &statistics);
  assert_int_equal(statistics.stages[statistics.n_stages - 1].queries, 1);
  model_free(&model);
  close_world(&world);
}

/* --- large paths: nothing here may take more than linear time per query, or recurse --- */

#define MANY_INPUTS 4000u
#define MANY_CONSTRAINTS 10000u

/* Each compares two neighbours, or one input with a constant; the hint satisfies all. The other sides of a hundred of
 * them are asked for. */
static void many_constraints(void **state) {
  struct terms *terms = terms_create();
  const struct solver_settings settings = {.timeout_milliseconds = 1000};
  struct solver *solver = solver_create(terms, &settings);
  struct model hint = {0}, model = {0};
  term_id *path = calloc(MANY_CONSTRAINTS, sizeof *path);
  for (unsigned i = 0; i < MANY_INPUTS; i++) model_set(&hint, terms_new_input(terms, "x", 8), i % 8 * 10);
  for (unsigned i = 0; i < MANY_CONSTRAINTS; i++) {
    const input_id input = i % MANY_INPUTS;
    const bool has_neighbour = i >= MANY_INPUTS && input % 8 < 7;
    const term_id x = term_input(terms, input);
    const term_id other = has_neighbour ? term_input(terms, input + 1) : term_constant(terms, 8, 200 + i % 50);
    path[i] = term_make(terms, TERM_LESS, x, other, 0);
  }
  assert_true(terms_hold(terms, path, MANY_CONSTRAINTS, &hint));
  for (unsigned i = 0; i < MANY_CONSTRAINTS; i += 100) {
    const struct query query = {.constraints = path, .count = i, .target = term_not(terms, path[i]), .hint = &hint};
    if (solver_solve(solver, &query, &model) != ANSWER_SATISFIABLE) continue;
    assert_true(terms_hold(terms, path, i, &model));
    assert_false(terms_hold(terms, path + i, 1, &model));
  }
  struct solver_statistics statistics;
  solver_get_statistics(solver, &statistics);
  assert_true(statistics.satisfiable > 40);
  free(path);
  model_free(&hint);
  model_free(&model);
  solver_destroy(solver);
  terms_destroy(terms);
}

/* A sum of all inputs, which also runs through choices; its low byte is asked to be something else. */
static void deep_terms(void **state) {
  struct terms *terms = terms_create();
  const struct solver_settings settings = {.timeout_milliseconds = 1000};
  struct solver *solver = solver_create(terms, &settings);
  struct model model = {0};
  term_id sum = term_constant(terms, 32, 0);
  for (unsigned i = 0; i < 50000; i++) {
    if (i < MANY_INPUTS) terms_new_input(terms, "x", 8);
    const term_id x = term_extend(terms, TERM_ZERO_EXTEND, 32, term_input(terms, i % MANY_INPUTS));
    const term_id is_odd = term_extract(terms, 0, 1, x);
    const term_id next = term_make(terms, TERM_ADD, sum, x, 0);
    sum = i % 3 ? next : term_make(terms, TERM_IF, is_odd, next, sum);
    if (i % 1000 == 0) term_extract(terms, 0, 8, sum);
  }
  const term_id target = term_make(terms, TERM_EQUAL, term_extract(terms, 0, 8, sum), term_constant(terms, 8, 99), 0);
  assert_int_equal(term_inputs(terms, target).count, MANY_INPUTS);
  const struct query query = {.target = target};
  assert_true(solver_solve(solver, &query, &model) != ANSWER_UNSATISFIABLE);
  struct text text = {0};
  term_print(terms, target, &text);
  text_free(&text);
  model_free(&model);
  solver_destroy(solver);
  terms_destroy(terms);
}

/* Every level uses the one below twice. */
static void shared_parts_are_simplified_once(void **state) {
  struct terms *terms = terms_create();
  term_id x = term_input(terms, terms_new_input(terms, "x", 32));
  for (unsigned i = 0; i < 90; i++) {
    const term_id condition = term_input(terms, terms_new_input(terms, "c", 1));
    const term_id more = term_make(terms, TERM_ADD, x, term_constant(terms, 32, i + 1), 0);
    x = term_make(terms, TERM_IF, condition, more, x);
  }
  assert_int_equal(term_at(terms, term_extract(terms, 0, 8, x))->width, 8);
  terms_destroy(terms);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(small_inputs),
      cmocka_unit_test(small_inputs_by_brute_force),
      cmocka_unit_test(bytes),
      cmocka_unit_test(integers),
      cmocka_unit_test(three_inputs_are_solved_without_z3),
      cmocka_unit_test(slicing_keeps_the_hint),
      cmocka_unit_test(caches_answer_again),
      cmocka_unit_test(many_constraints),
      cmocka_unit_test(deep_terms),
      cmocka_unit_test(shared_parts_are_simplified_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
