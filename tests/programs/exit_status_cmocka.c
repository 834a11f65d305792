// SPDX-License-Identifier: MIT
// A test of cmocka that fails in some schedules: cmocka's checks do not abort, they are counted, and main returns that.
// heddle: --strategy optimal -lcmocka
// expect: exit=1 bug=exit line=BUG message="exit status 1: returned by main"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>

static int counter;

static void *increment(void *unused) {
  const int before = counter;
  counter = before + 1;
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
  return cmocka_run_group_tests(tests, NULL, NULL); /* BUG */
}
