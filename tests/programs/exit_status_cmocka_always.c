// SPDX-License-Identifier: MIT
// A test of cmocka that always fails, without any thread.
// heddle: --strategy optimal -lcmocka
// expect: exit=1 bug=exit line=BUG
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void fails(void **state) {
  assert_int_equal(1, 2);
}

static void passes(void **state) {
  assert_int_equal(2, 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(fails), cmocka_unit_test(passes)};
  return cmocka_run_group_tests(tests, NULL, NULL); /* BUG */
}
