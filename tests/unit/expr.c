/* SPDX-License-Identifier: MIT
 *
 * src/expr: what the simplifier makes of random terms has the same value as the terms themselves, for all values of two
 * small inputs; equal terms are one; inputs of a term; printing.
 */
#include "unit.h"

#include "base/random.h"
#include "expr/term.h"

#include <string.h>

#define INPUT_WIDTH 4
#define ALL_VALUES (1u << 2 * INPUT_WIDTH)
#define MAX_TERMS 40
#define ROUNDS 20000

/* A term as it was asked for, with its value for every pair of inputs, computed without the simplifier. */
struct asked {
  term_id id;
  unsigned width;
  bits values[ALL_VALUES];
};

struct world {
  struct terms *terms;
  uint64_t random;
  struct asked asked[MAX_TERMS];
  size_t count;
};

static uint64_t draw(struct world *world, uint64_t bound) {
  return random_next(&world->random) % bound;
}

static struct asked *draw_asked(struct world *world) {
  return &world->asked[draw(world, world->count)];
}

/* A term of the wanted width: one there is, brought to the width. */
static struct asked fit(struct world *world, const struct asked *asked, unsigned width) {
  struct asked fitted = *asked;
  const struct term extension = {.kind = draw(world, 2) ? TERM_ZERO_EXTEND : TERM_SIGN_EXTEND, .width = (uint8_t)width};
  const unsigned widths[3] = {asked->width};
  fitted.width = width;
  if (width == asked->width) return fitted;
  fitted.id = width > asked->width ? term_extend(world->terms, extension.kind, width, asked->id)
                                   : term_extract(world->terms, 0, width, asked->id);
  for (size_t i = 0; i < ALL_VALUES; i++) {
    const bits values[3] = {asked->values[i]};
    fitted.values[i] =
        width > asked->width ? term_operator_apply(&extension, widths, values) : asked->values[i] & bits_mask(width);
  }
  return fitted;
}

static void add(struct world *world, const struct asked *asked) {
  world->asked[world->count++] = *asked;
}

static void add_leaves(struct world *world) {
  for (input_id input = 0; input < 2; input++) {
    struct asked asked = {.id = term_input(world->terms, input), .width = INPUT_WIDTH};
    for (size_t i = 0; i < ALL_VALUES; i++) asked.values[i] = i >> input * INPUT_WIDTH & (bits_mask(INPUT_WIDTH));
    add(world, &asked);
  }
}

static void add_constant(struct world *world, unsigned width) {
  static const int interesting[] = {0, 1, 2, -1, -2, 4, 7, 8};
  const bits value = (bits)(__int128)(draw(world, 2) ? interesting[draw(world, 8)] : (int)draw(world, 256));
  struct asked asked = {.id = term_constant(world->terms, width, value), .width = width};
  for (size_t i = 0; i < ALL_VALUES; i++) asked.values[i] = value & bits_mask(width);
  add(world, &asked);
}

static void add_extract(struct world *world) {
  const struct asked *source = draw_asked(world);
  const unsigned width = 1 + (unsigned)draw(world, source->width);
  const unsigned low = (unsigned)draw(world, source->width - width + 1);
  struct asked asked = {.id = term_extract(world->terms, low, width, source->id), .width = width};
  for (size_t i = 0; i < ALL_VALUES; i++) asked.values[i] = source->values[i] >> low & bits_mask(width);
  add(world, &asked);
}

static unsigned width_of_result(enum term_operator kind, const struct asked operands[3]) {
  if (kind >= TERM_EQUAL && kind <= TERM_LESS_EQUAL_SIGNED) return 1;
  if (kind == TERM_IF) return operands[1].width;
  if (kind == TERM_CONCATENATE) return operands[0].width + operands[1].width;
  return operands[0].width;
}

static void add_operation(struct world *world, enum term_operator kind) {
  const unsigned width = 1 + (unsigned)draw(world, 9);
  struct asked operands[3] = {fit(world, draw_asked(world), kind == TERM_IF ? 1 : width),
                              fit(world, draw_asked(world), width), fit(world, draw_asked(world), width)};
  struct asked asked = {.width = width_of_result(kind, operands)};
  const struct term term = {.kind = (uint8_t)kind, .width = (uint8_t)asked.width};
  const unsigned widths[3] = {operands[0].width, operands[1].width, operands[2].width};
  asked.id = term_make(world->terms, kind, operands[0].id, operands[1].id, kind == TERM_IF ? operands[2].id : 0);
  for (size_t i = 0; i < ALL_VALUES; i++) {
    const bits values[3] = {operands[0].values[i], operands[1].values[i], operands[2].values[i]};
    asked.values[i] = term_operator_apply(&term, widths, values);
  }
  add(world, &asked);
}

static void check_all_values(struct world *world, const struct asked *asked) {
  struct model model = {0};
  assert_int_equal(term_at(world->terms, asked->id)->width, asked->width);
  for (size_t i = 0; i < ALL_VALUES; i++) {
    model_set(&model, 0, i & bits_mask(INPUT_WIDTH));
    model_set(&model, 1, i >> INPUT_WIDTH);
    const bits value = term_evaluate(world->terms, asked->id, &model);
    if (value == asked->values[i]) continue;
    struct text text = {0};
    term_print(world->terms, asked->id, &text);
    fail_msg("%s is %llu, not %llu, for inputs %zu", text.string, (unsigned long long)value,
             (unsigned long long)asked->values[i], i);
  }
  model_free(&model);
}

static void simplification_keeps_values(void **state) {
  for (uint64_t round = 0; round < ROUNDS / MAX_TERMS; round++) {
    struct world world = {.terms = terms_create(), .random = round};
    terms_new_input(world.terms, "x", INPUT_WIDTH);
    terms_new_input(world.terms, "y", INPUT_WIDTH);
    add_leaves(&world);
    while (world.count < MAX_TERMS) {
      const uint64_t kind = draw(&world, TERM_OPERATORS);
      if (kind < TERM_ADD)
        add_constant(&world, 1 + (unsigned)draw(&world, 9));
      else if (kind == TERM_EXTRACT)
        add_extract(&world);
      else if (kind != TERM_ZERO_EXTEND && kind != TERM_SIGN_EXTEND)
        add_operation(&world, (enum term_operator)kind);
    }
    for (size_t i = 0; i < world.count; i++) check_all_values(&world, &world.asked[i]);
    terms_destroy(world.terms);
  }
}

static void equal_terms_are_one(void **state) {
  struct terms *terms = terms_create();
  const term_id x = term_input(terms, terms_new_input(terms, "x", 32));
  const term_id y = term_input(terms, terms_new_input(terms, "y", 32));
  const term_id five = term_constant(terms, 32, 5);
  assert_int_equal(term_make(terms, TERM_ADD, x, y, 0), term_make(terms, TERM_ADD, y, x, 0));
  assert_int_equal(term_make(terms, TERM_ADD, five, x, 0), term_make(terms, TERM_ADD, x, five, 0));
  const size_t count = terms_count(terms);
  term_make(terms, TERM_ADD, x, y, 0);
  assert_int_equal(terms_count(terms), count);
  terms_destroy(terms);
}

/* What `if (c == 'A')` becomes when c is a byte widened to int. */
static void comparisons_reach_the_input(void **state) {
  struct terms *terms = terms_create();
  struct text text = {0};
  const term_id byte = term_input(terms, terms_new_input(terms, "c", 8));
  const term_id wide = term_extend(terms, TERM_SIGN_EXTEND, 32, byte);
  const term_id moved = term_make(terms, TERM_SUBTRACT, wide, term_constant(terms, 32, 10), 0);
  term_print(terms, term_make(terms, TERM_EQUAL, moved, term_constant(terms, 32, 55), 0), &text);
  assert_string_equal(text.string, "(c == 65)");
  text_clear(&text);
  term_print(terms, term_not(terms, term_make(terms, TERM_LESS_SIGNED, wide, term_constant(terms, 32, 48), 0)), &text);
  assert_string_equal(text.string, "(48 <= c)");
  text_free(&text);
  terms_destroy(terms);
}

static void inputs_of_terms(void **state) {
  struct terms *terms = terms_create();
  term_id sum = term_constant(terms, 16, 7);
  for (input_id i = 0; i < 50; i++) {
    terms_new_input(terms, "i", 16);
    if (i % 3 == 0)
      sum = term_make(terms, TERM_ADD, term_make(terms, TERM_MULTIPLY, sum, sum, 0), term_input(terms, i), 0);
  }
  const struct input_set set = term_inputs(terms, sum);
  assert_int_equal(set.count, 17);
  for (size_t i = 0; i < set.count; i++) assert_int_equal(set.inputs[i], 3 * i);
  terms_destroy(terms);
}

static void wide_arithmetic(void **state) {
  struct terms *terms = terms_create();
  const bits big = (bits)1 << 127;
  const term_id minus_one = term_constant(terms, 128, ~(bits)0);
  bits value;
  assert_true(term_is_constant(
      terms, term_make(terms, TERM_DIVIDE_SIGNED, term_constant(terms, 128, big), minus_one, 0), &value));
  assert_true(value == big);
  assert_true(term_is_constant(
      terms, term_make(terms, TERM_REMAINDER_SIGNED, term_constant(terms, 128, big), minus_one, 0), &value));
  assert_true(value == 0);
  assert_true(
      term_is_constant(terms, term_make(terms, TERM_LESS_SIGNED, minus_one, term_constant(terms, 128, 0), 0), &value));
  assert_true(value == 1);
  terms_destroy(terms);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(simplification_keeps_values),
      cmocka_unit_test(equal_terms_are_one),
      cmocka_unit_test(comparisons_reach_the_input),
      cmocka_unit_test(inputs_of_terms),
      cmocka_unit_test(wide_arithmetic),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
