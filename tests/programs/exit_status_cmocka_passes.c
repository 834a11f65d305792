// SPDX-License-Identifier: MIT
// A test of cmocka that passes in every schedule is not a finding.
// heddle: --strategy optimal -lcmocka
// expect: bugs=0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>

static _Atomic int counter;

static void *increment(void *unused) {
  counter++;
  return NULL;
}

static void counts_both(void **state) {
  pthread_t s, t;
  counter = 0;
  pthread_create(&s, NULL, increment, NULL);
  pthread_create(&t, NULL, increment, NULL);
  pthread_join(s, NULL);
  pthread_join(t, NULL);
  assert_int_equal(counter, 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(counts_both)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
