/* SPDX-License-Identifier: MIT
 *
 * Inputs in the exploration, against a make-believe executor: small programs over byte inputs, written as functions
 * that make terms and decisions as the runtime would. Every feasible path comes exactly once; addresses are enumerated;
 * runs that leave their path are noticed; assumptions and pins do what they should.
 */
#include "unit.h"

#include "base/number_set.h"
#include "explore/inputs/generations.h"
#include "explore/inputs/inputs.h"
#include "explore/strategy/strategy.h"

#include <stdlib.h>
#include <string.h>

#define MAX_INPUTS 64
#define MAX_TERMS 4096
#define MAX_DECISIONS 1024

/* --- a run --- */

struct run {
  const struct target *target;
  struct trace record;
  struct event events[8];
  struct term_record terms[MAX_TERMS];
  struct decision decisions[MAX_DECISIONS];
  struct input_record inputs[MAX_INPUTS];
  struct input_value values[MAX_INPUTS];
  char names[8];
  bool ended;
};

struct value {
  uint32_t term; /* 0: concrete */
  uint64_t value;
  unsigned width;
};

static uint32_t record(struct run *run, struct term_record term) {
  assert_true(run->record.n_terms < MAX_TERMS);
  run->terms[run->record.n_terms] = term;
  return ++run->record.n_terms;
}

static uint64_t mask(unsigned width) {
  return (uint64_t)bits_mask(width);
}

static struct value constant(unsigned width, uint64_t value) {
  return (struct value){0, value & mask(width), width};
}

static uint32_t term_of(struct run *run, struct value value) {
  if (value.term) return value.term;
  return record(run,
                (struct term_record){.kind = TERM_CONSTANT, .width = (uint8_t)value.width, .value = {value.value}});
}

static struct value input_of(struct run *run, uint16_t thread, uint32_t index, unsigned width) {
  uint64_t value = 0;
  for (size_t i = 0; i < run->target->inputs.count; i++) {
    const struct input_value *item = &run->target->inputs.items[i];
    if (i > 0) assert_true(item[-1].thread < item->thread || item[-1].index < item->index);
    if (item->thread == thread && item->index == index) value = item->value[0] & mask(width);
  }
  run->inputs[run->record.n_inputs++] = (struct input_record){
      .index = index, .count = 1, .thread = thread, .type = INPUT_UCHAR, .width = (uint8_t)width, .name_bytes = 1};
  if (value)
    run->values[run->record.n_input_values++] =
        (struct input_value){.index = index, .thread = thread, .value = {value}};
  const struct term_record term = {
      .kind = TERM_INPUT, .width = (uint8_t)width, .operands = {index, thread}, .value = {value}};
  return (struct value){record(run, term), value, width};
}

static struct value input(struct run *run, uint32_t index) {
  return input_of(run, 0, index, 8);
}

static struct value make(struct run *run, enum term_operator kind, struct value a, struct value b) {
  const bool compares = kind >= TERM_EQUAL && kind <= TERM_LESS_EQUAL_SIGNED;
  const unsigned width = compares ? 1 : a.width;
  const uint64_t value = (uint64_t)operator_apply(kind, a.width, b.width, 0, a.value, b.value, 0) & mask(width);
  const uint32_t first = term_of(run, a), second = term_of(run, b);
  const struct term_record term = {
      .kind = (uint8_t)kind, .width = (uint8_t)width, .operands = {first, second}, .value = {value}};
  return (struct value){record(run, term), value, width};
}

static struct value widen(struct run *run, struct value a, unsigned width) {
  const struct term_record term = {
      .kind = TERM_ZERO_EXTEND, .width = (uint8_t)width, .operands = {term_of(run, a)}, .value = {a.value}};
  return (struct value){record(run, term), a.value, width};
}

static struct decision *decide(struct run *run, enum decision_kind kind, struct value value) {
  assert_true(run->record.n_decisions < MAX_DECISIONS);
  struct decision *decision = &run->decisions[run->record.n_decisions++];
  *decision = (struct decision){
      .term = value.term, .kind = (uint8_t)kind, .value = value.value, .step = run->record.n_steps, .site = 1};
  return decision;
}

static bool branch(struct run *run, struct value condition) {
  if (run->ended) return false;
  decide(run, DECISION_BRANCH, condition);
  return condition.value;
}

static void assume(struct run *run, struct value condition) {
  if (run->ended) return;
  decide(run, DECISION_ASSUME, condition);
  if (condition.value) return;
  run->ended = true;
  run->record.outcome = OUTCOME_ASSUMPTION_FAILED;
}

static bool is_less(struct run *run, struct value a, uint64_t b) {
  return branch(run, make(run, TERM_LESS, a, constant(a.width, b)));
}

static bool is_equal(struct run *run, struct value a, uint64_t b) {
  return branch(run, make(run, TERM_EQUAL, a, constant(a.width, b)));
}

typedef void program(struct run *run);

static void perform(program *program, const struct target *target, struct run *run) {
  memset(run, 0, sizeof *run);
  run->target = target;
  run->record.outcome = OUTCOME_FINISHED;
  run->record.n_threads = 1;
  program(run);
}

static struct trace_view view_of(const struct run *run) {
  return (struct trace_view){.record = &run->record,
                             .events = run->events + run->target->plan.record_from,
                             .terms = run->terms,
                             .decisions = run->decisions,
                             .inputs = run->inputs,
                             .input_values = run->values,
                             .names = run->names,
                             .message = ""};
}

/* --- an exploration --- */

struct results {
  unsigned runs, discarded, crashed;
  struct strategy_stats stats;
  uint64_t z3_queries, mismatches, wrong;
};

#define MAX_RUNS 100000

static int compare_hashes(const void *a, const void *b) {
  const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

/* Hashes of paths and schedules: none may come twice. */
static void expect_distinct(uint64_t *hashes, unsigned count) {
  qsort(hashes, count, sizeof *hashes, compare_hashes);
  for (unsigned i = 1; i < count; i++) assert_true(hashes[i - 1] != hashes[i]);
}

static uint64_t hash_of(const struct run *run, const struct path *path) {
  uint64_t hash = path ? path->hash : 0;
  for (uint32_t i = 0; i < run->record.n_steps; i++) hash = hash * 31 + run->events[i].thread + 1;
  return hash;
}

static struct results explore(program *program, uint32_t max_address_targets, unsigned window) {
  const struct inputs_settings settings = {1000, max_address_targets, true, NULL};
  struct inputs *inputs = inputs_create(&settings);
  const struct strategy *strategy = strategy_find("exhaustive");
  const struct strategy_settings strategy_settings = {.seed = 1, .inputs = inputs};
  void *self = strategy->create(&strategy_settings);
  struct target *targets = calloc(window, sizeof *targets);
  uint64_t *hashes = calloc(MAX_RUNS, sizeof *hashes);
  struct run *run = calloc(1, sizeof *run);
  struct results results = {0};
  for (;;) {
    unsigned under_way = 0;
    for (; under_way < window; under_way++) {
      targets[under_way].prefix.count = targets[under_way].inputs.count = 0;
      if (!strategy->next(self, &targets[under_way])) break;
    }
    for (unsigned i = 0; i < under_way; i++) {
      perform(program, &targets[i], run);
      struct trace_view view = view_of(run);
      run->record.n_events = run->record.n_steps - targets[i].plan.record_from;
      const struct path *path = inputs_read(inputs, &view);
      hashes[results.runs++] = hash_of(run, path);
      assert_true(results.runs < MAX_RUNS);
      results.discarded += run->record.outcome == OUTCOME_ASSUMPTION_FAILED;
      results.crashed += run->record.outcome == OUTCOME_BAD_ADDRESS;
      strategy->absorb(self, targets[i].cookie, &view, path, 1);
    }
    strategy->stats(self, &results.stats);
    if (under_way == 0 && results.stats.left == 0) break;
  }
  if (results.stats.divergences == 0) expect_distinct(hashes, results.runs);
  assert_true(strategy->part_done(self) > 0.999999);
  const char *words;
  struct solver_statistics statistics;
  results.mismatches = inputs_mismatches(inputs, &words);
  inputs_get_statistics(inputs, &statistics);
  results.wrong = statistics.wrong;
  for (unsigned i = 0; i < window; i++) {
    free(targets[i].prefix.items);
    free(targets[i].inputs.items);
  }
  strategy->destroy(self);
  inputs_destroy(inputs);
  free(targets);
  free(hashes);
  free(run);
  return results;
}

static struct results explore_all(program *program) {
  const struct results one = explore(program, 0, 1), many = explore(program, 0, 50);
  assert_int_equal(one.runs, many.runs);
  assert_int_equal(one.stats.divergences + many.stats.divergences, 0);
  assert_int_equal(one.mismatches + many.mismatches, 0);
  assert_int_equal(one.wrong + many.wrong, 0);
  assert_false(one.stats.unsolved);
  return one;
}

/* --- branches --- */

static void intervals(struct run *run) {
  const struct value x = input(run, 0);
  static const uint64_t bounds[] = {10, 5, 20, 10, 15};
  for (unsigned i = 0; i < 5; i++) is_less(run, x, bounds[i]);
}

/* x < 5, < 10, < 15, < 20 and beyond. */
static void contradictions_are_left_out(void **state) {
  assert_int_equal(explore_all(intervals).runs, 5);
}

static void independent(struct run *run) {
  for (unsigned i = 0; i < 6; i++) is_equal(run, input(run, i), 7 + i);
}

static void independent_decisions_multiply(void **state) {
  assert_int_equal(explore_all(independent).runs, 64);
}

static void password(struct run *run) {
  static const char wanted[] = "swordfish";
  for (unsigned i = 0; i < 9; i++)
    if (!is_equal(run, input(run, i), (unsigned char)wanted[i])) return;
}

static void nested_decisions_add(void **state) {
  assert_int_equal(explore_all(password).runs, 10);
}

static void sums(struct run *run) {
  const struct value sum = make(run, TERM_ADD, input(run, 0), input(run, 1));
  const struct value product = make(run, TERM_MULTIPLY, input(run, 2), sum);
  is_equal(run, sum, 200);
  is_less(run, product, 77);
  is_equal(run, product, 200);
}

static void terms_of_several_inputs(void **state) {
  /* product == 200 excludes product < 77. */
  assert_int_equal(explore_all(sums).runs, 2 * 3);
}

/* Another type under the same name on the other path. */
static void types(struct run *run) {
  if (is_less(run, input(run, 0), 5))
    is_equal(run, input_of(run, 0, 1, 32), 1u << 20);
  else
    is_equal(run, input_of(run, 0, 1, 8), 9);
}

static void names_may_change_their_width(void **state) {
  assert_int_equal(explore_all(types).runs, 4);
}

/* --- steps and decisions --- */

/* Two threads of two steps each; the second reads what depends on an input and on the order. */
static void threads(struct run *run) {
  unsigned left[2] = {2, 2}, current = 0;
  bool first = false;
  const struct value x = input(run, 0);
  is_less(run, x, 3);
  for (unsigned i = 0; i < 4; i++) {
    if (i < run->target->prefix.count)
      current = run->target->prefix.items[i].thread;
    else if (left[current] == 0)
      current = 1 - current;
    const uint64_t enabled = (left[0] ? 1u : 0) | (left[1] ? 2u : 0);
    run->events[i] = (struct event){.kind = EVENT_WRITE,
                                    .flags = EVENT_VISIBLE,
                                    .thread = (thread_id)current,
                                    .alternatives = 1,
                                    .enabled = enabled};
    run->record.n_steps++;
    left[current]--;
    if (i == 1) first = current == 0;
    if (i == 2 && first) is_equal(run, x, 1);
    if (i == 2 && !first) is_equal(run, x, 5);
  }
}

/* Six schedules; every one has three paths, since each of the second questions is open on one side only. */
static void schedules_and_paths_multiply(void **state) {
  assert_int_equal(explore_all(threads).runs, 6 * 3);
}

/* --- assumptions, pins --- */

static void assumptions(struct run *run) {
  const struct value x = input(run, 0);
  assume(run, make(run, TERM_LESS, constant(8, 100), x));
  if (run->ended) return;
  is_less(run, x, 50);
  is_less(run, x, 150);
}

static void failed_assumptions_ask_for_the_other_side(void **state) {
  const struct results results = explore_all(assumptions);
  assert_int_equal(results.discarded, 1);
  assert_int_equal(results.runs, 1 + 2);
}

static void impossible(struct run *run) {
  const struct value x = input(run, 0);
  assume(run, make(run, TERM_LESS, x, constant(8, 0)));
  assume(run, make(run, TERM_LESS, constant(8, 7), x));
  assume(run, make(run, TERM_LESS, x, constant(8, 5)));
}

static void no_inputs_satisfy_impossible_assumptions(void **state) {
  const struct results results = explore_all(impossible);
  assert_int_equal(results.discarded, results.runs);
}

static void pins(struct run *run) {
  const struct value x = input(run, 0), y = input(run, 1);
  if (is_equal(run, x, 3)) decide(run, DECISION_PIN, x);
  if (is_less(run, y, 10)) is_less(run, y, 20);
}

static void pinned(struct run *run) {
  const struct value x = input(run, 0);
  decide(run, DECISION_PIN, make(run, TERM_ADD, x, x));
  is_less(run, x, 10);
  is_less(run, make(run, TERM_ADD, x, x), 10);
}

static void pins_count_when_another_value_is_possible(void **state) {
  const struct results harmless = explore_all(pins), harmful = explore_all(pinned);
  assert_int_equal(harmless.runs, 4);
  assert_false(harmless.stats.made_concrete);
  /* x is 0 or 128. */
  assert_int_equal(harmful.runs, 2);
  assert_true(harmful.stats.made_concrete);
}

/* --- addresses --- */

#define TABLE 0x1000u
#define TABLE_BYTES 40u /* ten integers */

static void access_table(struct run *run, struct value index) {
  const struct value offset = make(run, TERM_MULTIPLY, widen(run, index, 64), constant(64, 4));
  const struct value address = make(run, TERM_ADD, offset, constant(64, TABLE));
  struct decision *decision = decide(run, DECISION_ADDRESS, address);
  decision->low = TABLE;
  decision->high = TABLE + TABLE_BYTES - 4;
  if (address.value < decision->low || address.value > decision->high) {
    run->ended = true;
    run->record.outcome = OUTCOME_BAD_ADDRESS;
  }
}

static void careful(struct run *run) {
  const struct value index = input(run, 0);
  if (is_less(run, index, 10)) access_table(run, index);
}

static void careless(struct run *run) {
  access_table(run, input(run, 0));
}

static void addresses_are_enumerated(void **state) {
  const struct results all = explore_all(careful);
  assert_int_equal(all.runs, 10 + 1);
  assert_int_equal(all.crashed, 0);
  assert_false(all.stats.addresses_left);
  const struct results outside = explore_all(careless);
  assert_int_equal(outside.runs, 10 + 1);
  assert_int_equal(outside.crashed, 1);
}

static void addresses_are_bounded(void **state) {
  const struct results four = explore(careful, 4, 3), ten = explore(careful, 10, 3);
  assert_int_equal(four.runs, 4 + 1);
  assert_true(four.stats.addresses_left);
  assert_int_equal(ten.runs, 10 + 1);
  assert_false(ten.stats.addresses_left);
}

/* --- things that go wrong --- */

static unsigned calls;

static void moody(struct run *run) {
  const struct value x = input(run, 0), y = input(run, 1);
  is_less(run, calls++ == 1 ? y : x, 10);
  is_less(run, x, 20);
}

static void divergence_is_noticed(void **state) {
  calls = 0;
  const struct results results = explore(moody, 0, 1);
  assert_true(results.stats.divergences > 0);
  assert_int_equal(results.stats.left, 0);
}

/* The runtime says another value than the term has. */
static void liar(struct run *run) {
  struct value x = input(run, 0);
  struct value sum = make(run, TERM_ADD, x, constant(8, 1));
  run->terms[sum.term - 1].value[0] = sum.value = 5;
  is_equal(run, sum, 5);
}

static void wrong_terms_are_noticed(void **state) {
  assert_true(explore(liar, 0, 1).mismatches > 0);
}

/* --- sampling --- */

/* Runs until no side is left that nobody was asked to take; returns how many distinct paths there were. */
static size_t sample(program *program, unsigned *runs) {
  const struct inputs_settings settings = {1000, 0, true, NULL};
  struct inputs *inputs = inputs_create(&settings);
  struct generations *generations = generations_create(inputs, 1);
  struct run *run = calloc(1, sizeof *run);
  struct target target = {0};
  struct number_set paths = {0};
  *runs = 0;
  for (bool more = true; more && *runs < 1000; ++*runs) {
    perform(program, &target, run);
    const struct trace_view view = view_of(run);
    const struct path *path = inputs_read(inputs, &view);
    generations_add(generations, path);
    number_set_add(&paths, path->hash);
    struct values *values = NULL;
    target.inputs.count = 0;
    more = generations_next(generations, &values);
    inputs_append_values(inputs, values, &target.inputs);
    if (more) values_release(values);
  }
  const size_t count = paths.count;
  number_set_free(&paths);
  free(target.inputs.items);
  free(run);
  generations_destroy(generations);
  inputs_destroy(inputs);
  return count;
}

static void generations_come_everywhere(void **state) {
  unsigned runs;
  assert_int_equal(sample(password, &runs), 10);
  assert_int_equal(runs, 10);
  assert_int_equal(sample(careful, &runs), 10 + 1);
  assert_int_equal(sample(careless, &runs), 10 + 1);
  assert_int_equal(sample(assumptions, &runs), 1 + 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(contradictions_are_left_out),
      cmocka_unit_test(independent_decisions_multiply),
      cmocka_unit_test(nested_decisions_add),
      cmocka_unit_test(terms_of_several_inputs),
      cmocka_unit_test(names_may_change_their_width),
      cmocka_unit_test(schedules_and_paths_multiply),
      cmocka_unit_test(failed_assumptions_ask_for_the_other_side),
      cmocka_unit_test(no_inputs_satisfy_impossible_assumptions),
      cmocka_unit_test(pins_count_when_another_value_is_possible),
      cmocka_unit_test(addresses_are_enumerated),
      cmocka_unit_test(addresses_are_bounded),
      cmocka_unit_test(divergence_is_noticed),
      cmocka_unit_test(wrong_terms_are_noticed),
      cmocka_unit_test(generations_come_everywhere),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
