/* SPDX-License-Identifier: MIT
 *
 * src/base/json.c: strings with anything in them.
 */
#include "unit.h"

#include "base/json.h"

#include <string.h>

static void expect(const char *string, size_t count, const char *wanted) {
  struct text json = {0};
  json_append_bytes(&json, string, count);
  assert_string_equal(text_string(&json), wanted);
  text_free(&json);
}

static void strings_are_quoted(void **state) {
  expect("plain", 5, "\"plain\"");
  expect("", 0, "\"\"");
  expect("a\"b\\c", 5, "\"a\\\"b\\\\c\"");
  expect("a\nb", 3, "\"a\\nb\"");
  expect("\x01", 1, "\"\\u0001\"");
  expect("\0", 1, "\"\\u0000\"");
}

static void utf8_passes(void **state) {
  expect("\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80", 9, "\"\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\"");
}

/* Whatever the bytes, the result is quoted, has no bare quote or control character, and is sound UTF-8: every byte
 * above 127 that is not part of a sequence is replaced. */
static void other_bytes_are_replaced(void **state) {
  static const char *const bad[] = {
      "\xff", "\x80", "\xc3", "\xe2\x82", "\xc0\xaf", "\xed\xa0\x80", "\xf5\x80\x80\x80", "\xf0\x9f\x98"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    struct text json = {0};
    json_append_string(&json, bad[i]);
    const char *text = text_string(&json);
    assert_true(strstr(text, "\xef\xbf\xbd") || strstr(text, "\\ufffd") || strstr(text, "\\uFFFD"));
    text_free(&json);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(strings_are_quoted),
      cmocka_unit_test(utf8_passes),
      cmocka_unit_test(other_bytes_are_replaced),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
