/* SPDX-License-Identifier: MIT
 *
 * src/explore/executor/knowledge.c: what a wild program wrote over the warnings is not believed, and is seen.
 */
#include "unit.h"

#include "explore/executor/knowledge.h"

#include <string.h>

static struct knowledge knowledge, copy;

static void set_up(void) {
  memset(&knowledge, 0, sizeof knowledge);
  atomic_store(&knowledge.n_threads, 3);
}

static void a_warning_comes_out_as_it_went_in(void **state) {
  set_up();
  knowledge.warnings[0] =
      (struct warning){.kind = WARNING_LEAK, .thread = 2, .other_thread = NO_THREAD, .message = "m"};
  atomic_store(&knowledge.n_warnings, 1);
  struct warning warning;
  assert_int_equal(knowledge_warnings(&knowledge), 1);
  assert_true(knowledge_warning(&knowledge, 0, &warning));
  assert_int_equal(warning.thread, 2);
  assert_int_equal(warning.other_thread, NO_THREAD);
  assert_string_equal(warning.message, "m");
}

static void counts_stay_within_the_table(void **state) {
  set_up();
  atomic_store(&knowledge.n_warnings, UINT32_MAX);
  assert_int_equal(knowledge_warnings(&knowledge), MAX_WARNINGS);
  knowledge_copy_warnings(&copy, &knowledge);
  assert_int_equal(knowledge_warnings(&copy), MAX_WARNINGS);
}

static void senseless_fields_are_not_believed(void **state) {
  struct warning warning;
  set_up();
  memset(knowledge.warnings, 0xff, sizeof knowledge.warnings);
  assert_false(knowledge_warning(&knowledge, 0, &warning));
  knowledge.warnings[1].kind = WARNING_NONE;
  assert_false(knowledge_warning(&knowledge, 1, &warning));
  knowledge.warnings[2].kind = WARNING_DATA_RACE;
  knowledge.warnings[2].thread = 3;
  assert_true(knowledge_warning(&knowledge, 2, &warning));
  assert_int_equal(warning.thread, NO_THREAD);
  assert_int_equal(strlen(warning.message), sizeof warning.message - 1);
}

/* --- the seal --- */

/* As the runtime fills it in. */
static void fill(void) {
  static const char text[] = "x=1";
  memset(&knowledge, 0, sizeof knowledge);
  for (uint32_t i = 0; i < 3; i++) {
    knowledge.threads[i] = (struct thread_name){0, (uint16_t)i};
    knowledge.seal += sealed_thread(i, knowledge.threads[i]);
    knowledge.shared[i] = (struct shared_granule){0x1000 + 8 * i, 0xf};
    knowledge.seal += sealed_shared(i, knowledge.shared[i], knowledge.cuts[i]);
    knowledge.warnings[i] = (struct warning){.kind = WARNING_LEAK, .site = i};
    knowledge.seal += sealed_warning(i, &knowledge.warnings[i]);
  }
  uint64_t hash = 0xcbf29ce484222325ull;
  for (const char *c = text; *c; c++) hash = (hash ^ (unsigned char)*c) * 0x100000001b3ull;
  memcpy(knowledge.text, text, 3);
  knowledge.observed[0] = (struct observed){hash, 7, 0, 3};
  knowledge.seal += sealed_observed(0, knowledge.observed[0]);
  knowledge.most_threads = 3;
  knowledge.seal += sealed_most_threads(3);
  atomic_store(&knowledge.n_threads, 3);
  atomic_store(&knowledge.n_shared, 3);
  atomic_store(&knowledge.n_warnings, 3);
  atomic_store(&knowledge.n_observed, 1);
}

static void expect_seen(void *part, size_t bytes) {
  for (size_t i = 0; i < 8 * bytes; i++) {
    unsigned char *byte = (unsigned char *)part + i / 8;
    *byte ^= (unsigned char)(1u << i % 8);
    if (knowledge_is_sound(&knowledge)) fail_msg("bit %zu of %zu bytes", i, bytes);
    *byte ^= (unsigned char)(1u << i % 8);
  }
  assert_true(knowledge_is_sound(&knowledge));
}

static void every_bit_that_is_sealed_counts(void **state) {
  fill();
  assert_true(knowledge_is_sound(&knowledge));
  expect_seen(&knowledge.seal, sizeof knowledge.seal);
  expect_seen(&knowledge.n_threads, sizeof knowledge.n_threads);
  expect_seen(&knowledge.n_shared, sizeof knowledge.n_shared);
  expect_seen(&knowledge.n_observed, sizeof knowledge.n_observed);
  expect_seen(&knowledge.n_warnings, sizeof knowledge.n_warnings);
  expect_seen(&knowledge.most_threads, sizeof knowledge.most_threads);
  expect_seen(knowledge.threads, 3 * sizeof *knowledge.threads);
  expect_seen(knowledge.shared, 3 * sizeof *knowledge.shared);
  expect_seen(knowledge.cuts, 3);
  expect_seen(knowledge.observed, sizeof *knowledge.observed);
  expect_seen(knowledge.warnings, 3 * sizeof *knowledge.warnings);
  expect_seen(knowledge.text, 3);
}

static void sealing_accepts_what_is_there(void **state) {
  fill();
  knowledge_forget_observations(&knowledge);
  assert_false(knowledge_is_sound(&knowledge));
  knowledge_seal(&knowledge);
  assert_true(knowledge_is_sound(&knowledge));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_warning_comes_out_as_it_went_in), cmocka_unit_test(counts_stay_within_the_table),
      cmocka_unit_test(senseless_fields_are_not_believed), cmocka_unit_test(every_bit_that_is_sealed_counts),
      cmocka_unit_test(sealing_accepts_what_is_there),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
