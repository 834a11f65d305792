/* SPDX-License-Identifier: MIT
 *
 * src/explore/knowledge.c: what a wild program wrote over the warnings is not believed.
 */
#include "unit.h"

#include "explore/knowledge.h"

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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_warning_comes_out_as_it_went_in),
      cmocka_unit_test(counts_stay_within_the_table),
      cmocka_unit_test(senseless_fields_are_not_believed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
